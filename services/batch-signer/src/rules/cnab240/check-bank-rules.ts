import type { BankRules } from './bank-rules.ts'
import type { Findings } from './findings.ts'
import { frame } from './layouts.ts'
import type { Columns, RecordCursor } from './record-cursor.ts'

const chamber: Columns = [18, 20]
const payeeBank: Columns = [21, 23]
const digit: Columns = [43, 43]
const slipBank: Columns = [18, 20]

const TED = '018'
const TED_FORMS: readonly string[] = ['41', '43']

/** What the rules need of the batch a payment lies in. */
interface RuledBatch {
  readonly form: { readonly code: string }
  /** Whether its first payee is at the bank of the file; null before the first. */
  firstIsOwn: boolean | null
}

/** One bank's rules over one file. */
export class BankRuleChecks {
  readonly #rules: BankRules
  readonly #bank: string
  readonly #findings: Findings

  constructor(rules: BankRules, bank: string, findings: Findings) {
    this.#rules = rules
    this.#bank = bank
    this.#findings = findings
  }

  /** Service and form of entry of a batch header. */
  header(record: RecordCursor): void {
    const [service, form] = [record.raw(frame.service), record.raw(frame.form)]
    const forms = this.#rules.formsOfService[service]
    if (forms && !forms.codes.includes(form))
      this.#findings.add('bank-form-of-service', record.number, frame.form, { form, service, clause: forms.clause })
    const services = this.#rules.servicesOfForm[form]
    if (services && !services.codes.includes(service))
      this.#findings.add('bank-form-of-service', record.number, frame.form, { form, service, clause: services.clause })
  }

  /** Chamber, payee's bank and digit of a segment A. */
  transfer(record: RecordCursor, batch: RuledBatch): void {
    this.#chamber(record, batch.form.code)
    const isOwn = record.raw(payeeBank) === this.#bank
    const isTed = record.raw(chamber) === TED || TED_FORMS.includes(batch.form.code)
    const { tedLeavesBank, digitBlank } = this.#rules
    if (tedLeavesBank && isTed && isOwn)
      this.#findings.add('bank-ted-within', record.number, chamber, { bank: this.#bank, clause: tedLeavesBank })
    const found = record.raw(digit)
    if (digitBlank && found !== ' ')
      this.#findings.add('bank-digit-not-blank', record.number, digit, { found, clause: digitBlank })
    this.#payeeBanks(record, batch, isOwn)
  }

  /** Whether a slip is of the bank its form of entry says. */
  slip(record: RecordCursor, form: string): void {
    const rule = this.#rules.slipForms
    if (rule === null || (form !== rule.own && form !== rule.others)) return
    const found = record.raw(slipBank)
    if ((found === this.#bank) === (form === rule.own)) return
    this.#findings.add('bank-slip-form', record.number, slipBank, { form, found, clause: rule.clause })
  }

  /** The ending of the first record. */
  ending(isCrLf: boolean): void {
    const { crlf } = this.#rules
    if (crlf && !isCrLf) this.#findings.add('bank-line-ending', 1, null, { clause: crlf })
  }

  #chamber(record: RecordCursor, form: string): void {
    const allowed = this.#rules.chambers[form]
    const found = record.raw(chamber)
    if (!allowed || allowed.codes.includes(found)) return
    const facts = { expected: allowed.codes.join(', '), form, found, clause: allowed.clause }
    this.#findings.add('bank-chamber', record.number, chamber, facts)
  }

  #payeeBanks(record: RecordCursor, batch: RuledBatch, isOwn: boolean): void {
    const { payeeBanksApart } = this.#rules
    batch.firstIsOwn ??= isOwn
    if (payeeBanksApart && batch.firstIsOwn !== isOwn)
      this.#findings.add('bank-payees-mixed', record.number, payeeBank, { clause: payeeBanksApart })
  }
}
