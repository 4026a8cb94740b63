// What the programs of the Go clients share: the documents, and call, which prints whether a call works.

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

var url = os.Args[1]

const mapping = `{"mappings":{"properties":{
"title":{"type":"text","fields":{"raw":{"type":"keyword"}}},"brand":{"type":"keyword"},"price":{"type":"double"},
"added":{"type":"date"},"names":{"type":"completion"},
"reviews":{"type":"nested","properties":{"stars":{"type":"integer"},"text":{"type":"text"}}}}}}`

type Review struct {
	Stars int    `json:"stars"`
	Text  string `json:"text"`
}

type Product struct {
	Title   string   `json:"title"`
	Brand   string   `json:"brand"`
	Price   float64  `json:"price"`
	Added   string   `json:"added"`
	Names   []string `json:"names"`
	Reviews []Review `json:"reviews"`
}

func product(title, brand string, price float64, added, text string) Product {
	return Product{title, brand, price, added, []string{title}, []Review{{len(title) % 5, text}}}
}

var products = []Product{
	product("Red running shoes", "Ardo", 80, "2026-01-03", "fits well"),
	product("Blue running jacket", "Ardo", 120, "2026-01-20", "too small"),
	product("Red rain jacket", "Belm", 95.5, "2026-02-01", "fits well"),
	product("Trail shoes for women", "Belm", 110, "2026-02-14", "too small"),
	product("Wool socks", "Corin", 12, "2026-03-01", "fits well"),
	product("Running socks, three pairs", "Corin", 15, "2026-03-02", "too small"),
}

// bulkBody is the products as the body of a bulk request.
func bulkBody(index string) string {
	var body strings.Builder
	for n, each := range products {
		source, _ := json.Marshal(each)
		fmt.Fprintf(&body, "{\"index\":{\"_index\":%q,\"_id\":\"%d\"}}\n%s\n", index, n+1, source)
	}
	return body.String()
}

// expect makes a call, whose answer as the client read it must have this part when it is printed as JSON.
func expect[T any](name string, run func(context.Context) (T, error), part string) {
	call(name, func() (T, error) { return run(context.Background()) }, func(answer T) bool {
		text, err := json.Marshal(answer)
		return err == nil && strings.Contains(string(text), part)
	})
}

// call makes a call and prints its result; right says whether the answer is right.
func call[T any](name string, run func() (T, error), right func(T) bool) {
	answer, err := run()
	line := map[string]any{"ok": true}
	if err != nil {
		line = map[string]any{"ok": false, "error": err.Error()}
	} else if !right(answer) {
		text, _ := json.Marshal(answer)
		line = map[string]any{"ok": false, "error": fmt.Sprintf("wrong answer: %.120s", text)}
	}
	rest, _ := json.Marshal(line)
	quoted, _ := json.Marshal(name)
	fmt.Printf("{\"call\":%s,%s\n", quoted, rest[1:])
}
