"""Writes a file with all its mutants in it, each behind a switch that is read when the program runs."""

INCLUDE = '#include "mutant.h"\n'


class Writer:
    """text: the mutated file; spans: (begin, end, mutants) of each site in it."""

    def __init__(self, source, sites, dropped):
        self.source, self.spans, self.parts, self.size = source, [], [], 0
        sites = [s for s in sites if any(m.key() not in dropped for m, _ in s.choices)]
        self.sites = sorted(sites, key=lambda s: (s.begin, -s.end, not s.jumps))
        self.dropped, self.next = dropped, 0
        self.put(INCLUDE)
        self.put_range(0, len(source))
        self.text = "".join(self.parts)

    def put(self, text):
        self.parts.append(text)
        self.size += len(text)

    def put_range(self, begin, end):
        while self.next < len(self.sites) and self.sites[self.next].begin < end:
            site = self.sites[self.next]
            self.next += 1
            self.put(self.source[begin:site.begin])
            self.put_site(site)
            begin = site.end
        self.put(self.source[begin:end])

    def put_site(self, site):
        start = self.size
        choices = [(m, text) for m, text in site.choices if m.key() not in self.dropped]
        if not site.jumps:
            self.put("(")
        for mutant, text in choices:
            self.put(f"if (diffie_mutant({mutant.number})) {text}; else " if site.jumps
                     else f"diffie_mutant({mutant.number}) ? {site.cast}({text}) : ")
        is_throw = self.source.startswith("throw", site.begin)
        if not site.jumps:
            self.put("" if is_throw else f"{site.cast}(")
        self.put_range(site.begin, site.end)
        if not site.jumps:
            self.put(")" if is_throw else "))")
        self.spans.append((start, self.size, [m for m, _ in choices]))

    def blamed(self, line, column):
        """The mutants of the innermost site at a place where the compiler complains."""
        lines = self.text.split("\n")
        at = sum(len(text) + 1 for text in lines[:line - 1]) + column - 1
        around = [span for span in self.spans if span[0] <= at < span[1]]
        return min(around, key=lambda s: s[1] - s[0])[2] if around else []
