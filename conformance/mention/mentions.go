// Mentions in Go: reads markup, and cuts a text of the API into plain parts and mentions.
//
//	go run mentions.go parse.json      checks itself on the fixtures
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"sort"
	"strings"
	"unicode/utf16"
)

// Entity is a part of a text. Start and End count UTF-16 units.
type Entity struct {
	Kind     string `json:"kind"`
	Username string `json:"username,omitempty"`
	Href     string `json:"href,omitempty"`
	ID       string `json:"id,omitempty"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
}

// Content is a text with its entities.
type Content struct {
	Text     string   `json:"text"`
	Entities []Entity `json:"entities"`
	Unit     string   `json:"unit"`
}

// Segment is a piece of a text; Entity is nil where it is plain.
type Segment struct {
	Text   string
	Entity *Entity
}

const kinds = "(user|topic|entity|link)"

var (
	tag        = regexp.MustCompile(`<` + kinds + `((?:[ \t\n\r]+[a-z]+="[^"<]+")*)[ \t\n\r]*>|</` + kinds + `>`)
	attribute  = regexp.MustCompile(`([a-z]+)="([^"<]+)"`)
	unescape   = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`).Replace
	attributes = map[string]string{"user": "username id", "topic": "id", "entity": "id", "link": "href id"}
)

func units(text string) int { return len(utf16.Encode([]rune(text))) }

// startTag reads the attributes of a start tag. It is false if the tag is text.
func startTag(kind, text string) (Entity, bool) {
	entity, seen := Entity{Kind: kind}, map[string]bool{}
	for _, found := range attribute.FindAllStringSubmatch(text, -1) {
		name, value := found[1], unescape(found[2])
		if seen[name] || !strings.Contains(" "+attributes[kind]+" ", " "+name+" ") {
			return entity, false
		}
		seen[name] = true
		*map[string]*string{"username": &entity.Username, "href": &entity.Href, "id": &entity.ID}[name] = value
	}
	return entity, !(kind == "user" && !seen["username"] || kind == "link" && !seen["href"])
}

// Parse reads markup.
func Parse(markup string) Content {
	markup = strings.ReplaceAll(markup, "\x00", " ")
	content := Content{Entities: []Entity{}, Unit: "utf16"}
	var opened *Entity
	start, inner, done, at := 0, 0, 0, 0
	for {
		place := tag.FindStringSubmatchIndex(markup[at:])
		if place == nil {
			break
		}
		from, to := at+place[0], at+place[1]
		part := func(n int) string { return markup[at+place[2*n] : at+place[2*n+1]] }
		next := to
		if place[2] >= 0 {
			if entity, ok := startTag(part(1), part(2)); ok {
				opened, start, inner = &entity, from, to
			} else {
				next = from + 1
			}
		} else if opened != nil && opened.Kind == part(3) {
			if from > inner {
				content.Text += unescape(markup[done:start])
				opened.Start = units(content.Text)
				content.Text += unescape(markup[inner:from])
				opened.End = units(content.Text)
				content.Entities = append(content.Entities, *opened)
				done = to
			}
			opened = nil
		}
		at = next
	}
	content.Text += unescape(markup[done:])
	return content
}

// Segments returns the parts of a text in order.
func Segments(text string, entities []Entity) []Segment {
	all := utf16.Encode([]rune(text))
	sorted := append([]Entity{}, entities...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].Start < sorted[j].Start })
	var segments []Segment
	add := func(start, end int, entity *Entity) {
		if start < end {
			segments = append(segments, Segment{string(utf16.Decode(all[start:end])), entity})
		}
	}
	done := 0
	for i := range sorted {
		add(done, sorted[i].Start, nil)
		add(sorted[i].Start, sorted[i].End, &sorted[i])
		done = sorted[i].End
	}
	add(done, len(all), nil)
	return segments
}

func main() {
	bytes, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var fixtures struct {
		Cases []struct {
			Name, Markup string
			Content      Content
		}
	}
	if err := json.Unmarshal(bytes, &fixtures); err != nil {
		panic(err)
	}
	for _, each := range fixtures.Cases {
		content := Parse(each.Markup)
		if !reflect.DeepEqual(content, each.Content) {
			panic(fmt.Sprintf("%s: %+v", each.Name, content))
		}
		text := ""
		for _, segment := range Segments(content.Text, content.Entities) {
			text += segment.Text
		}
		if text != content.Text {
			panic(each.Name)
		}
	}
	fmt.Println(len(fixtures.Cases), "cases")
}
