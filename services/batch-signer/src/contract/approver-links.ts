/** The exchange of an approver's link for a session (spec 2, Endpoints). */
export const exchangeLink = {
  method: 'GET',
  path: '/approvals/link/{token}',
  summary: 'Exchanges the link of an approver for a session of the portal.',
  description:
    'Answers a redirect: to `/approvals` with the session cookie, or to `/approvals/link-required`, whatever the reason. Who is removed from every pool has no link any more.',
  tags: ['Approvals'],
  access: 'anonymous',
  policy: 'Approval',
} as const
