import { portableStatement } from '@chancela/service-kernel/store'

interface Billed {
  readonly organizationId: string
  readonly type: string
  /** yyyy-MM in the default time zone. */
  readonly month: string
  readonly total: number
}

/** Adds to an organization's billed transactions of a month. */
export const addBilled = portableStatement<Billed, never>(
  'documents_billed',
  ({ place }) => `insert into billed_transaction (organization_id, type, month, total)
    values (${place(1)}, ${place(2)}, ${place(3)}, ${place(4)})
    on conflict (organization_id, month, type) do update set total = billed_transaction.total + excluded.total`,
  ({ organizationId, type, month, total }) => [organizationId, type, month, total],
)
