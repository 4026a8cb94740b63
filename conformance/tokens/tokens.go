// Builds page tokens in Go, in the unsealed form: a search continues behind any item whose sort values you know.
//
//	go run tokens.go tokens.json fingerprints.json      checks itself on the fixtures
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const safe = 1<<53 - 1

var modes = map[string]byte{"sort": 0, "score": 1, "feed": 2}

// Position names the item that a page starts behind, or with Backwards ends before.
type Position struct {
	Mode        string            `json:"mode"`
	Sort        []any             `json:"tuple"`
	ID          *string           `json:"id"`
	Index       *string           `json:"index"`
	Backwards   bool              `json:"backwards"`
	Snapshot    *uint64           `json:"snapshot"`
	Fingerprint map[string]uint64 `json:"fingerprint"`
	Principal   *string           `json:"principal"`
	ExpiresAt   *uint64           `json:"expiresAt"`
}

func text(out []byte, value string) []byte {
	return append(binary.AppendUvarint(out, uint64(2*len(value))), value...)
}

// Base 128 of twice a big number, or of -2x-1 below zero.
func zigzag(out []byte, value *big.Int) []byte {
	rest := new(big.Int).Lsh(value, 1)
	if value.Sign() < 0 {
		rest.Neg(rest).Sub(rest, big.NewInt(1))
	}
	for rest.BitLen() > 7 {
		out = append(out, byte(rest.Uint64()&0x7f|0x80))
		rest.Rsh(rest, 7)
	}
	return append(out, byte(rest.Uint64()))
}

func sortValue(out []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(out, 0)
	case bool:
		if v {
			return append(out, 2)
		}
		return append(out, 1)
	case string:
		return text(append(out, 5), v)
	case *big.Int:
		return zigzag(append(out, 4), v)
	case float64:
		if v == math.Trunc(v) && math.Abs(v) <= safe && !(v == 0 && math.Signbit(v)) {
			return zigzag(append(out, 7), big.NewInt(int64(v)))
		}
		return binary.BigEndian.AppendUint64(append(out, 3), math.Float64bits(v))
	}
	panic(fmt.Sprintf("%T is no sort value", value))
}

// Build makes the token of a position.
func Build(p Position) string {
	bit := func(is bool, flag byte) byte {
		if is {
			return flag
		}
		return 0
	}
	flags := bit(p.Backwards, 1) | bit(p.ID != nil, 2) | bit(p.Index != nil, 4) | bit(p.Snapshot != nil, 8)
	out := []byte{1, modes[p.Mode], flags, byte(len(p.Sort))}
	for _, value := range p.Sort {
		out = sortValue(out, value)
	}
	for _, each := range []*string{p.ID, p.Index} {
		if each != nil {
			out = text(out, *each)
		}
	}
	if p.Snapshot != nil {
		out = binary.AppendUvarint(out, *p.Snapshot)
	}
	out = append(out, byte(len(p.Fingerprint)))
	names := make([]string, 0, len(p.Fingerprint))
	for name := range p.Fingerprint {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		out = binary.AppendUvarint(text(out, name), p.Fingerprint[name])
	}
	return "v0." + base64.RawURLEncoding.EncodeToString(out)
}

func quoted(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(strings.TrimSuffix(out.String(), "\n"))
}

// Canonical is JSON without spaces, members sorted by their names in UTF-16.
func Canonical(value any) string {
	var parts []string
	switch v := value.(type) {
	case []any:
		for _, each := range v {
			parts = append(parts, Canonical(each))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		sort.Slice(names, func(i, j int) bool { return lessUTF16(names[i], names[j]) })
		for _, name := range names {
			parts = append(parts, quoted(name)+":"+Canonical(v[name]))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case float64:
		if v == 0 {
			return "0"
		}
	}
	return quoted(value)
}

func lessUTF16(a, b string) bool {
	x, y := utf16.Encode([]rune(a)), utf16.Encode([]rune(b))
	for i := 0; i < len(x) && i < len(y); i++ {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	return len(x) < len(y)
}

// Hash is the hash of a canonical text.
func Hash(canonical string) uint64 {
	a, b := uint32(0x811c9dc5), uint32(0x7ee3623b)
	const factor = uint32(0x01000193 ^ 0x5bd1e994)
	for i, unit := range utf16.Encode([]rune(canonical)) {
		a = (a ^ uint32(unit)) * 0x01000193
		b = (b ^ (uint32(unit) + uint32(i))) * factor
	}
	x, y := (a^a>>15)*0x2c1b3c6d, (b^b>>13)*0x297a2d39
	return uint64(x^x>>12)<<16 | uint64(y^y>>15)>>16
}

// SearchFingerprint is the fingerprint of a search of one index, as its body has it.
func SearchFingerprint(index string, query, sort any) map[string]uint64 {
	return map[string]uint64{
		"index": Hash(Canonical([]any{index})),
		"query": Hash(Canonical(map[string]any{"query": query})),
		"sort":  Hash(Canonical(sort)),
	}
}

// fixture is a sort value; false where the format of the fixtures has no value of Go.
func fixture(value any) (any, bool) {
	if s, ok := value.(string); ok && strings.ContainsRune(s, utf8.RuneError) {
		return nil, false
	}
	special, ok := value.(map[string]any)
	if !ok {
		return value, true
	}
	if digits, ok := special["bigint"].(string); ok {
		number, _ := new(big.Int).SetString(digits, 10)
		return number, true
	}
	if name, ok := special["double"].(string); ok {
		doubles := map[string]float64{
			"NaN": math.Float64frombits(0x7ff8000000000000), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1), "-0": math.Copysign(0, -1),
		}
		return doubles[name], true
	}
	return nil, false
}

func read(path string, into any) {
	content, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(content, into)
	}
	if err != nil {
		panic(err)
	}
}

func main() {
	var tokens struct {
		Cases []struct {
			Name, Token string
			Position    *Position
		}
	}
	read(os.Args[1], &tokens)
	built := 0
cases:
	for _, each := range tokens.Cases {
		p := each.Position
		if p == nil || !strings.HasPrefix(each.Token, "v0.") || p.Principal != nil || p.ExpiresAt != nil {
			continue
		}
		for i, value := range p.Sort {
			known, ok := fixture(value)
			if !ok {
				continue cases
			}
			p.Sort[i] = known
		}
		if token := Build(*p); token != each.Token {
			panic(each.Name + ": " + token)
		}
		built++
	}
	var prints struct {
		Cases []struct {
			Name  string
			Value any
			Text  string
			Hash  uint64
		}
	}
	read(os.Args[2], &prints)
	checked := 0
	for _, each := range prints.Cases {
		// Strings of Go cannot hold half a character.
		if strings.Contains(each.Text, `\ud`) {
			continue
		}
		if canonical := Canonical(each.Value); canonical != each.Text || Hash(each.Text) != each.Hash {
			panic(each.Name + ": " + canonical)
		}
		checked++
	}
	fmt.Println(built, "tokens,", checked, "fingerprints")
}
