/** For auditors, who verify it with `chancela audit verify`; not part of the reference. */
export const exportAudit = {
  method: 'GET',
  path: '/dashboard/api/audit/export',
  summary: 'The audit chain with its records, as lines of JSON, in no language.',
  description: 'It has names, addresses and CPFs of approvers, as their decisions have them.',
  policy: 'Export',
  hidden: true,
  produces: 'application/jsonl',
} as const
