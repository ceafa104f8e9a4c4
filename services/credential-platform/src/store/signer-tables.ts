// Rows of people who sign, and of what waits for whom.

/** One row of `user_signer`: as whom a user signs. */
interface UserSignerRow {
  user_id: string
  cpf: string
  updated_at: string
}

/** One row of `document_wait`: who can sign a version of a document now. */
interface DocumentWaitRow {
  document_id: string
  revision: number
  /** A CPF; `*`: any person of the organization; `-`: nobody, because it waits for the institution. */
  signer: string
}

export interface SignerTables {
  user_signer: UserSignerRow
  document_wait: DocumentWaitRow
}
