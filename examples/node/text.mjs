// TEXT on the wire: a JSON string where the bytes are UTF-8, `{"base64": …}` where they are not.

import { Buffer, isUtf8 } from "node:buffer";

/** The bytes of a TEXT. */
export function bytesOf(text) {
  return typeof text === "string" ? Buffer.from(text, "utf8") : Buffer.from(text.base64, "base64");
}

/** The TEXT of bytes. */
export function textOf(bytes) {
  return isUtf8(bytes) ? bytes.toString("utf8") : { base64: bytes.toString("base64") };
}
