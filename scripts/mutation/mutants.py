"""Finds the mutants of C++ files: places in the syntax tree, and what to write there instead."""

import bisect
from dataclasses import dataclass, field
from pathlib import Path

import clang.cindex
from clang.cindex import CursorKind as K
from clang.cindex import TypeKind as T

RELATIONAL = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",)}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "&"}
LOGICAL = {"&&": "||", "||": "&&"}
ASSIGNING = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "|=": "&=", "&=": "|=", "^=": "|=", "<<=": ">>=", ">>=": "<<="}
STEPS = {"++": "--", "--": "++"}
CALLS = {"min": "max", "max": "min", "min_element": "max_element", "max_element": "min_element", "floor": "ceil",
         "ceil": "floor", "lower_bound": "upper_bound", "upper_bound": "lower_bound", "any_of": "all_of",
         "all_of": "any_of"}

INTEGERS = {T.CHAR_U, T.UCHAR, T.USHORT, T.UINT, T.ULONG, T.ULONGLONG, T.CHAR_S, T.SCHAR, T.SHORT, T.INT, T.LONG,
            T.LONGLONG, T.CHAR32}
NUMBERS = INTEGERS | {T.FLOAT, T.DOUBLE, T.LONGDOUBLE}
COUNTABLE = NUMBERS | {T.BOOL, T.POINTER, T.DEPENDENT, T.AUTO}
FUNCTIONS = {K.FUNCTION_DECL, K.CXX_METHOD, K.CONSTRUCTOR, K.DESTRUCTOR, K.CONVERSION_FUNCTION, K.FUNCTION_TEMPLATE}
# Constant expressions; and defaults of members, which nearly every maker of the struct overwrites.
SKIPPED = {K.ENUM_DECL, K.STATIC_ASSERT, K.TYPE_ALIAS_DECL, K.FIELD_DECL, K.DECL_REF_EXPR, K.TYPE_REF, K.TEMPLATE_REF}
# What these calls change is speed or the text of a message.
IDLE_CALLS = {"reserve", "shrink_to_fit"}
MOST_OF_A_FILE = 1000
MESSAGE_CALLS = {"fail", "corrupt", "refuse", "unsupported"}


@dataclass
class Mutant:
    number: int
    file: str
    function: str
    operator: str
    change: str
    ordinal: int = 1  # of equal ones in the function

    def key(self):
        return (self.file, self.function, self.change + (f" #{self.ordinal}" if self.ordinal > 1 else ""))


@dataclass
class Site:
    """Bytes begin..end of a file with the texts that may stand there instead."""
    begin: int
    end: int
    jumps: bool = False  # a return, break or continue: no expression
    cast: str = ""  # what all texts are made: "(void)" of a statement, "bool" of a condition
    choices: list = field(default_factory=list)  # (Mutant, text)


class Finder:
    """Of one translation unit the sites of the wanted files."""

    def __init__(self, unit, wanted):
        self.unit, self.wanted = unit, wanted
        self.sites = {}  # file -> {(begin, end, jumps): Site}
        self.texts, self.tokens = {}, {}
        self.file = None

    def run(self):
        for cursor in self.unit.cursor.get_children():
            name = cursor.location.file.name if cursor.location.file else None
            if name in self.wanted:
                self.open(name)
                self.walk(cursor, "")
        return self.sites

    def open(self, name):
        self.file = name
        if name in self.texts:
            return
        self.texts[name] = Path(name).read_bytes().decode("latin-1")  # a character for each byte
        self.sites[name] = {}
        source = clang.cindex.File.from_name(self.unit, name)
        ends = [clang.cindex.SourceLocation.from_offset(self.unit, source, i) for i in (0, len(self.texts[name]))]
        tokens = self.unit.get_tokens(extent=clang.cindex.SourceRange.from_locations(*ends))
        self.tokens[name] = [(token.extent.start.offset, token.spelling) for token in tokens
                             if token.kind != clang.cindex.TokenKind.COMMENT]

    # Text

    def text(self, cursor):
        return self.texts[self.file][cursor.extent.start.offset:cursor.extent.end.offset]

    def between(self, begin, end):
        tokens = self.tokens[self.file]
        return tokens[bisect.bisect_left(tokens, (begin, "")):bisect.bisect_left(tokens, (end, ""))]

    def operator_of(self, cursor):
        """The operator of an expression of two parts, and the parts; None where it is no such expression."""
        parts = [c for c in cursor.get_children() if c.kind.is_expression() and self.text(c) not in ASSIGNING
                 and self.text(c) not in RELATIONAL and self.text(c) not in ARITHMETIC and self.text(c) not in LOGICAL]
        if len(parts) != 2:
            return None
        tokens = self.between(parts[0].extent.end.offset, parts[1].extent.start.offset)
        return (tokens[0], parts) if len(tokens) == 1 else None

    def within_parentheses(self, cursor):
        """Where the parentheses after `if`, `while` and `for` end."""
        depth = 0
        for offset, spelling in self.between(cursor.extent.start.offset, cursor.extent.end.offset):
            depth += (spelling == "(") - (spelling == ")")
            if spelling == ")" and depth == 0:
                return offset
        return cursor.extent.end.offset

    # Sites

    def add(self, cursor, function, operator, text, change=None, jumps=False, cast=""):
        begin, end = cursor.extent.start.offset, cursor.extent.end.offset
        if end <= begin:  # operands that the compiler has swapped
            return
        site = self.sites[self.file].setdefault((begin, end, jumps), Site(begin, end, jumps))
        if any(text == other for _, other in site.choices):
            return
        site.cast = "(void)" if "(void)" in (cast, site.cast) else cast or site.cast
        change = " ".join((change or f"{self.text(cursor)} -> {text}").split())
        site.choices.append((Mutant(0, self.file, function, operator, change), text))

    def walk(self, cursor, function):
        kind = cursor.kind
        place = cursor.extent.start.file
        if kind in SKIPPED or place is None or place.name != self.file or self.in_assertion(cursor):
            return  # a default argument stands where its function is declared
        if kind in FUNCTIONS or kind in (K.CLASS_DECL, K.STRUCT_DECL, K.CLASS_TEMPLATE):
            function = f"{function}::{cursor.spelling}".lstrip(":")
        if kind == K.VAR_DECL and self.is_constexpr(cursor):
            self.walk_lambdas(cursor, f"{function}::{cursor.spelling}".lstrip(":"))
            return
        self.mutate(cursor, function)
        for child in self.parts_to_walk(cursor):
            self.walk(child, function)

    def walk_lambdas(self, cursor, function):
        for child in cursor.get_children():
            if child.kind == K.LAMBDA_EXPR:
                self.walk(child, function)
            else:
                self.walk_lambdas(child, function)

    def parts_to_walk(self, cursor):
        children = list(cursor.get_children())
        if cursor.kind == K.CASE_STMT:
            return children[1:]
        if cursor.kind == K.MEMBER_REF_EXPR:  # after the object: template arguments
            return [c for c in children if c.kind != K.INTEGER_LITERAL]
        if cursor.kind in (K.VAR_DECL, K.PARM_DECL, K.FUNCTION_DECL, K.CXX_METHOD):  # before the name: its type
            return [c for c in children if c.extent.start.offset > cursor.location.offset]
        if cursor.kind == K.CXX_THROW_EXPR:
            return []
        if cursor.kind == K.CALL_EXPR:
            if cursor.spelling in MESSAGE_CALLS or cursor.spelling in IDLE_CALLS:
                return []
            if cursor.spelling == "add" and self.text(cursor).startswith("bad."):
                return []
        return children

    def is_constexpr(self, cursor):
        return any(s == "constexpr" for _, s in self.between(cursor.extent.start.offset, cursor.location.offset))

    def in_assertion(self, cursor):
        return self.texts[self.file].startswith("DIFFIE_ASSERT", cursor.extent.start.offset)

    def mutate(self, cursor, function):
        kind = cursor.kind
        if kind.is_expression():
            self.mutate_expression(cursor, function)
        elif kind in (K.IF_STMT, K.WHILE_STMT, K.FOR_STMT, K.DO_STMT, K.CXX_FOR_RANGE_STMT):
            self.mutate_branch(cursor, function)
        elif kind in (K.COMPOUND_STMT, K.CASE_STMT, K.DEFAULT_STMT):
            for child in self.parts_to_walk(cursor):
                self.mutate_statement(child, function)
        elif kind == K.RETURN_STMT:
            self.mutate_return(cursor, function)
        elif kind in (K.BREAK_STMT, K.CONTINUE_STMT):
            self.add(cursor, function, "jump", "", jumps=True)

    def mutate_expression(self, cursor, function):
        kind, text = cursor.kind, self.text(cursor)
        countable = cursor.type.get_canonical().kind in COUNTABLE
        if kind == K.INTEGER_LITERAL or kind == K.FLOATING_LITERAL:
            self.mutate_number(cursor, function)
        elif kind == K.CHARACTER_LITERAL:
            self.add(cursor, function, "constant", f"char({text} + 1)")
        elif kind == K.CXX_BOOL_LITERAL_EXPR:
            self.add(cursor, function, "constant", "false" if text == "true" else "true")
        elif kind == K.UNARY_OPERATOR:
            self.mutate_unary(cursor, function)
        elif kind == K.CONDITIONAL_OPERATOR:
            self.negate(next(cursor.get_children()), function)
        elif kind == K.CALL_EXPR and cursor.spelling in CALLS:
            other = text.replace(cursor.spelling, CALLS[cursor.spelling], 1)
            self.add(cursor, function, "call", other)
        elif (found := self.operator_of(cursor)) is not None:
            (offset, operator), _ = found
            at = offset - cursor.extent.start.offset
            for name, table, allowed in (("relational", RELATIONAL, True), ("logical", LOGICAL, True),
                                         ("arithmetic", ARITHMETIC, countable), ("assignment", ASSIGNING, countable)):
                others = table.get(operator, ()) if allowed else ()
                for other in (others,) if isinstance(others, str) else others:
                    self.add(cursor, function, name, f"({text[:at]}{other}{text[at + len(operator):]})")

    def mutate_number(self, cursor, function):
        text = self.text(cursor)
        is_zero = text.rstrip("uUlLfF") in ("0", "0.", "0.0")
        self.add(cursor, function, "constant", f"({text} + 1)")
        if not is_zero:
            self.add(cursor, function, "constant", f"({text} - 1)")

    def mutate_unary(self, cursor, function):
        text = self.text(cursor)
        if text[:2] in STEPS:
            self.add(cursor, function, "step", STEPS[text[:2]] + text[2:])
        elif text[-2:] in STEPS:
            self.add(cursor, function, "step", text[:-2] + STEPS[text[-2:]])
        elif text[:1] in ("!", "-") and text[:2] != "!=":  # C++20 takes != apart into ! and ==
            is_not = text[0] == "!"
            self.add(cursor, function, "logical" if is_not else "arithmetic", f"{'bool' * is_not}({text[1:]})")

    def mutate_branch(self, cursor, function):
        children = list(cursor.get_children())
        if cursor.kind == K.DO_STMT:
            self.negate(children[1], function)
            return
        close = self.within_parentheses(cursor)
        for child in children:
            if child.extent.start.offset > close:
                self.mutate_statement(child, function)
        head = [c for c in children if c.extent.start.offset < close]
        if cursor.kind == K.CXX_FOR_RANGE_STMT or not head or any(c.kind == K.VAR_DECL for c in head):
            return
        if cursor.kind == K.FOR_STMT:
            ends = [o for o, s in self.between(cursor.extent.start.offset, close) if s == ";"][:2]
            head = [c for c in head if len(ends) == 2 and ends[0] < c.extent.start.offset < ends[1]]
        if head:
            self.negate(head[-1], function)

    def negate(self, condition, function):
        """A comparison has its negation already."""
        operator = self.operator_of(self.peeled(condition))
        text = self.text(condition)
        if condition.kind.is_expression() and text[:1] != "!" and not (operator and operator[0][1] in RELATIONAL):
            self.add(condition, function, "condition", f"!({text})", cast="bool")

    def peeled(self, cursor):
        while cursor.kind == K.UNEXPOSED_EXPR and len(list(cursor.get_children())) == 1:
            cursor = next(cursor.get_children())
        return cursor

    def mutate_statement(self, cursor, function):
        if not cursor.kind.is_expression() or self.in_assertion(cursor):
            return
        inner = self.peeled(cursor)
        if inner.kind == K.CALL_EXPR and inner.spelling in IDLE_CALLS:
            return
        if self.text(cursor)[:2] in STEPS:
            return  # has its mutant
        self.add(cursor, function, "removal", "(void)0", f"{self.text(cursor)} -> (nothing)", cast="(void)")

    def mutate_return(self, cursor, function):
        values = list(cursor.get_children())
        if not values:
            self.add(cursor, function, "jump", "", jumps=True)
            return
        value = values[0]
        text, kind = self.text(value), value.type.get_canonical().kind
        inner = self.peeled(value)
        if kind == T.BOOL:
            if inner.kind != K.CXX_BOOL_LITERAL_EXPR:
                self.negate(value, function)
        elif kind in NUMBERS:
            if inner.kind not in (K.INTEGER_LITERAL, K.FLOATING_LITERAL):
                self.add(value, function, "return", f"({text}) + 1")
        elif text not in ("{}", "std::nullopt", "nullptr", "*this"):
            self.add(cursor, function, "return", "return {}", jumps=True)


def number(sites):
    """Gives mutants their numbers, which another file's do not change, and equal ones of a function their ordinals."""
    seen, mutants = {}, []
    for place, file in enumerate(sorted(sites), 1):
        found = sorted(sites[file].values(), key=lambda s: (s.begin, -s.end))
        for count, (mutant, _) in enumerate(choice for site in found for choice in site.choices):
            mutant.number = MOST_OF_A_FILE * place + count
            mutants.append(mutant)
            same = (mutant.file, mutant.function, mutant.change)
            mutant.ordinal = seen[same] = seen.get(same, 0) + 1
    return mutants
