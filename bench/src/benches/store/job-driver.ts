/** The two operations that are compared. */
export interface JobDriver {
  /** Adds jobs durably, in one transaction; returns how many. */
  insert(count: number): number | Promise<number>
  /** Claims up to `limit` waiting jobs under a lease, with their payloads; returns how many there were. */
  claim(limit: number): number | Promise<number>
  close(): Promise<void>
}

/** A fresh database with the kernel's job table, on which either side can work. */
export interface JobDatabase {
  /** Server processes working for it. */
  readonly pids: readonly number[]
  /** Empties the table and puts this many waiting jobs into it. */
  fill(waiting: number): Promise<void>
  open: Readonly<Record<'bare' | 'kernel', () => Promise<JobDriver>>>
  drop(): Promise<void>
}

/** The queue all contestants work on. */
export const QUEUE = 'bench'

/** Instance and lease of the claims: longer than any sample, so that no job is returned to the queue during one. */
export const CLAIM = { instance: 'bench-1', leaseSeconds: 3600 } as const

/** Payload of a job: the size of a typical pointer to a document. */
export const samplePayload = {
  document: '0190f3c2-7b5e-7000-8000-3f1d2c4b5a69',
  profile: 'contratos',
  fileName: 'contrato-de-prestacao-de-servicos.pdf',
}
