package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// The arguments of a call are any JSON: nil, bool, string, json.Number, []any and map[string]any.

// optional is a member that may be absent, which is not the same as null.
type optional struct {
	there bool
	value any
}

func (o *optional) UnmarshalJSON(data []byte) error {
	o.there = true
	return decode(data, &o.value)
}

// or gives a copy of the value that is there, or of another.
func (o optional) or(other any) any {
	if o.there {
		other = o.value
	}
	return mustCopy(other)
}

// clone makes a deep copy. What is not data cannot be copied.
func clone(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, string, json.Number:
		return v, nil
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			copied, err := clone(item)
			if err != nil {
				return nil, err
			}
			list[i] = copied
		}
		return list, nil
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, item := range v {
			copied, err := clone(item)
			if err != nil {
				return nil, err
			}
			object[name] = copied
		}
		return object, nil
	}
	return nil, fmt.Errorf("a %T cannot be copied", v)
}

// mustCopy copies what was copied or read from JSON before.
func mustCopy(v any) any {
	copied, err := clone(v)
	if err != nil {
		panic(err)
	}
	return copied
}

// digest is SHA-256 over canonical JSON: no white space, and members in the order of their names,
// as encoding/json writes a map. Unlike RFC 8785, which makes a double of each number, it keeps
// numbers as they are spelt: two integers past 2^53 would else have one digest (LED-27).
func digest(v any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err) // v was read from JSON
	}
	return fmt.Sprintf("%x", sha256.Sum256(text.Bytes()))
}
