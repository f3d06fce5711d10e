package main

import (
	"encoding/json"
	"unicode/utf8"
)

// Text is a string of bytes. On the wire it is a JSON string where the bytes are UTF-8, and
// {"base64": "…"} where they are not.
type Text string

type base64Text struct {
	Base64 []byte `json:"base64"` // encoding/json reads and writes []byte as base64
}

func (t Text) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(t)) {
		return json.Marshal(string(t))
	}
	return json.Marshal(base64Text{[]byte(t)})
}

func (t *Text) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, (*string)(t))
	}
	var bytes base64Text
	if err := decode(data, &bytes); err != nil {
		return err
	}
	*t = Text(bytes.Base64)
	return nil
}
