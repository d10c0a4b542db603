"""Write a program in its normal form: what it parses to again is equal."""

from functools import singledispatch

from planloom.planes.programs import syntax as s


def print_program(program: s.Program) -> str:
    """Return the text of *program*, one statement a line."""
    if program.continuation:
        handle = program.continuation.handle
        return f"{program.continuation.verb}({handle if handle.isidentifier() else quoted(handle)})"
    return "\n".join(
        f"{each.name} = {print_expression(each.expression)}" if each.name else print_expression(each.expression)
        for each in program.statements
    )


@singledispatch
def print_expression(expression: s.Expression) -> str:
    """Return the text of one expression."""
    raise TypeError(type(expression).__name__)


@print_expression.register
def _(it: s.Named) -> str:
    return it.name


@print_expression.register
def _(it: s.Get) -> str:
    return f"{it.entity}({print_value(it.id)})"


@print_expression.register
def _(it: s.Page) -> str:
    return f"page({it.handle})"


@print_expression.register
def _(it: s.Filter) -> str:
    return f"{_of(it.of)}.filter{{{print_condition(it.where)}}}"


@print_expression.register
def _(it: s.Project) -> str:
    return f"{_of(it.of)}[{_fields(it.fields)}]"


@print_expression.register
def _(it: s.Sort) -> str:
    keys = ", ".join(f"-{key.field.path}" if key.down else key.field.path for key in it.keys)
    return f"{_of(it.of)}.sort({keys})"


@print_expression.register
def _(it: s.Limit) -> str:
    return f"{_of(it.of)}.limit({it.rows})"


@print_expression.register
def _(it: s.Aggregate) -> str:
    text = _of(it.of)
    if it.by:
        text += f".group_by({_fields(it.by)})"
    functions = ", ".join(
        f"{each.function}({each.field.path})" if each.field.path else each.function for each in it.functions
    )
    return f"{text}.aggregate({functions})" if functions else text


@print_expression.register
def _(it: s.Distinct) -> str:
    return f"{_of(it.of)}.distinct({_fields(it.fields)})"


@print_expression.register
def _(it: s.Related) -> str:
    return f"{_of(it.of)}.{it.name}"


@print_expression.register
def _(it: s.Call) -> str:
    return f"{_of(it.of)}.{it.name}({_arguments(it.arguments)})"


@print_expression.register
def _(it: s.ForEach) -> str:
    return f"{_of(it.of)}.for_each({it.entity}.{it.name}({_arguments(it.arguments)}))"


@print_expression.register
def _(it: s.Combine) -> str:
    right = print_expression(it.right)
    return f"{print_expression(it.left)} {it.sign} {f'({right})' if isinstance(it.right, s.Combine) else right}"


def _of(expression: s.Expression) -> str:
    text = print_expression(expression)
    return f"({text})" if isinstance(expression, s.Combine) else text


def _fields(fields: tuple[s.Ref, ...]) -> str:
    return ", ".join(each.path for each in fields)


def _arguments(given: tuple[s.Argument, ...]) -> str:
    return ", ".join(
        f"{each.name}={print_value(each.value)}" if each.name else print_value(each.value) for each in given
    )


def print_value(value: s.Value) -> str:
    """Return the text of a value."""
    match value:
        case s.Literal():
            return _literal(value)
        case s.Ref():
            return value.path
        case s.Moment():
            return value.text
        case s.ListOf():
            return f"[{', '.join(map(print_value, value.items))}]"
        case s.ObjectOf():
            return f"{{{', '.join(f'{quoted(name)}: {print_value(each)}' for name, each in value.items)}}}"


def print_condition(condition: s.Condition) -> str:
    """Return the text of a condition, which planloom.core.expressions reads too."""
    match condition:
        case s.Either():
            return " or ".join(_part(part, s.Either) for part in condition.parts)
        case s.Both():
            return " and ".join(_part(part, s.Either, s.Both) for part in condition.parts)
        case s.Not():
            return f"not {_part(condition.of, s.Either, s.Both)}"
        case s.Compare():
            return f"{_operand(condition.left)} {condition.sign} {_operand(condition.right)}"
        case s.Function():
            return f"{condition.name}({print_condition(condition.of)})"
        case s.Conditions():
            return f"[{', '.join(map(print_condition, condition.items))}]"
        case _:
            return print_value(condition)


def _part(condition: s.Condition, *looser: type) -> str:
    text = print_condition(condition)
    return f"({text})" if isinstance(condition, looser) else text


def _operand(condition: s.Condition) -> str:
    return _part(condition, s.Either, s.Both, s.Not, s.Compare)


def _literal(literal: s.Literal) -> str:
    if isinstance(literal.value, str):
        return quoted(literal.value)
    if literal.value is None or isinstance(literal.value, bool):
        return {None: "null", True: "true", False: "false"}[literal.value]
    return repr(literal.value)


def quoted(text: str) -> str:
    """Return *text* in quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
