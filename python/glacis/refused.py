"""What the rules, or whoever reads requests, refuse."""


class Refused(ValueError):
    """A refusal: its sentence, the rule that forbids or the field that is wrong."""

    def __init__(self, message, rule=None, field=None):
        super().__init__(message)
        self.message = message
        self.rule = rule
        self.field = field

    def __str__(self):
        where = self.rule or self.field
        return f"{self.message} [{where}]" if where else self.message

    def __reduce__(self):
        return Refused, (self.message, self.rule, self.field)
