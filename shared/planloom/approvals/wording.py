"""What approvals are called in texts for people."""

from planloom.approvals.approval import Approval, Decision


def rule_text(approval: Approval) -> str:
    """Return in words how many approvers must approve, and how many have."""
    people = len(approval.approvers)
    if people == 1:
        return "One approver decides."
    needed = approval.rule.needed(people)
    given = sum(each.decision is Decision.APPROVE for each in approval.responses)
    said = {"any": f"The first response of {people} approvers decides.", "all": f"All {people} approvers must approve."}
    return f"{said.get(approval.rule.kind, f'{needed} of {people} approvers must approve.')} {given} approved so far."
