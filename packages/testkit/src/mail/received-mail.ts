import PostalMime, { type Address } from 'postal-mime'

/** A received, parsed mail. */
export interface ReceivedMail {
  /** Counts up from 1 in the order mails arrived. */
  readonly number: number
  /** Sender and recipients of the SMTP commands. */
  readonly envelope: { readonly from: string; readonly to: readonly string[] }
  /** Whether it came over TLS. */
  readonly isEncrypted: boolean
  readonly messageId: string
  /** The `Date` header. */
  readonly date: Date
  readonly from: { readonly name: string; readonly address: string }
  readonly to: readonly { readonly name: string; readonly address: string }[]
  readonly subject: string
  readonly text: string
  readonly html: string
  /** By lower-case name; of a repeated header the last. */
  readonly headers: Readonly<Record<string, string>>
  readonly raw: string
}

/** What is not in the bytes of a message. */
type Arrival = Pick<ReceivedMail, 'number' | 'envelope' | 'isEncrypted'>

/** Reads the bytes of a message. */
export async function readMail(bytes: Uint8Array, arrival: Arrival): Promise<ReceivedMail> {
  const email = await PostalMime.parse(bytes)
  return {
    ...arrival,
    messageId: email.messageId ?? '',
    date: new Date(email.date ?? Number.NaN),
    from: mailboxOf(email.from),
    to: (email.to ?? []).map(mailboxOf),
    subject: email.subject ?? '',
    text: email.text ?? '',
    html: email.html ?? '',
    headers: Object.fromEntries(email.headers.map(({ key, value }) => [key, value])),
    raw: Buffer.from(bytes).toString('utf8'),
  }
}

const mailboxOf = (one: Address | undefined) => ({
  name: one?.name ?? '',
  address: one?.address ?? '',
})
