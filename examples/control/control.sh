#!/bin/sh
# A control in shell. It lets tools that only read pass, refuses `rm -rf`, and holds the rest for a
# person. Needs jq, which exits non-zero on what it cannot read: that is a fault, and nothing runs.
#
# Try it: gatespec control -- examples/control/control.sh
exec jq --slurp --compact-output '
  def text: type == "string";
  if length == 1 and (.[0] | type) == "object" then .[0] else error("not one object") end
  | if (.id | text) and (.name | text) and (.role | text) and (.agent_id | text) and has("input")
    then . else error("not a request") end
  | if .name | test("^(read|list|search|http_get)") then {verdict: "pass"}
    elif .input | tostring | contains("rm -rf") then {verdict: "refuse", reason: "rm -rf is not for agents"}
    else {verdict: "hold", reason: "\(.name) changes things: a person looks at it first"}
    end'
