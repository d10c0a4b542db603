"""The grammar of programs, for lark; conditions are those of planloom.core.expressions."""

from planloom.core.expressions import CONDITIONS

#: Methods that are part of the language; other names after a dot are relations and capabilities.
METHODS = ("filter", "sort", "limit", "group_by", "aggregate", "distinct", "for_each", "get")
AGGREGATES = ("count", "sum", "avg", "min", "max")
SETS = ("union", "intersect", "minus")

GRAMMAR = (
    CONDITIONS
    + r"""
program: _SEPARATOR* (statement _SEPARATOR+)* statement?
statement: NAME "=" _expression -> bound
         | _expression          -> returned
_expression: combined
?combined: postfixed
         | combined SET postfixed
?postfixed: _primary
    | postfixed "[" _fields "]"                                         -> projected
    | postfixed "." FILTER ("{" either "}" | "(" either ")")            -> filtered
    | postfixed "." SORT "(" key ("," key)* ")"                         -> sorted
    | postfixed "." LIMIT "(" NUMBER ")"                                -> limited
    | postfixed "." GROUP_BY "(" _fields ")"                            -> grouped
    | postfixed "." AGGREGATE "(" aggregation ("," aggregation)* ")"    -> aggregated
    | postfixed "." DISTINCT "(" [_fields] ")"                          -> distinct
    | postfixed "." FOR_EACH "(" NAME "." NAME "(" [arguments] ")" ")"  -> for_each
    | postfixed "." NAME                                                -> related
    | postfixed "." NAME "(" [arguments] ")"                            -> called_on
_primary: name
        | got
        | "(" _expression ")"
name: NAME
got: NAME "(" value ")"
_fields: PATH ("," PATH)*
key: [DESCENDING] PATH
aggregation: FUNCTION_OF "(" PATH ")" -> of_field
           | "count" ["(" ")"]        -> of_rows
arguments: argument ("," argument)*
argument: PATH "=" value -> given_by_name
        | value          -> given
?value: NUMBER                             -> number
      | TEXT                               -> text
      | CONSTANT                           -> constant
      | UUID                               -> bare_text
      | TIME                               -> bare_text
      | MOMENT                             -> moment
      | PATH                               -> path
      | "[" [value ("," value)*] "]"     -> values
      | "{" [pair ("," pair)*] "}"         -> pairs
pair: (PATH | TEXT) ":" value
FILTER: "filter"
SORT: "sort"
LIMIT: "limit"
GROUP_BY: "group_by"
AGGREGATE: "aggregate"
DISTINCT: "distinct"
FOR_EACH: "for_each"
SET: "union" | "intersect" | "minus"
DESCENDING: "-"
FUNCTION_OF.2: /(count|sum|avg|min|max)(?=\s*\(\s*[A-Za-z_])/
NAME: /(?!(?:union|intersect|minus)\b)[A-Za-z_]\w*/
%extend operand: UUID                      -> bare_text
               | TIME                      -> bare_text
               | MOMENT                    -> moment
// a time and an id need no quotes
TIME.6: /\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?(?![\w-])/
// so does one relative to now; a field or an argument of that name is none
MOMENT.7: /(?:now|today)(?:[^\S\n]*[+-][^\S\n]*\d{1,5}[^\S\n]*[mhdw](?![\w.-])|(?![\w.(\[-]|[^\S\n]*=))/
UUID.5: /[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}(?![\w-])/
// a line ends a statement, unless the next one continues it
_SEPARATOR.9: /[^\S\n]*[;\n][\s;]*(?![\s;.]|union\b|intersect\b|minus\b)/
%ignore /\s+/
%ignore /#[^\n]*/
"""
)
