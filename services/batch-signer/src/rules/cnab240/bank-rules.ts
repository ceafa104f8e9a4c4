// What single banks ask beyond the common layout, each rule with the place it was read in. Manuals are older than what
// banks accept, and a bank extends its lists without a word; so these rules warn unless the house wants them to refuse
// (Cnab240:BankRules). A bank whose manual was not at hand has only what FEBRABAN asks of every bank.

/** Codes a field may hold, and where that is written. */
interface Allowed {
  readonly codes: readonly string[]
  readonly clause: string
}

/** The rules of one bank; null or an empty table where its manual has none. */
export interface BankRules {
  /** Clearing chamber (P001, segment A 18-20) by form of entry. */
  readonly chambers: Readonly<Record<string, Allowed>>
  /** Why a TED may not go to the bank of the file itself. */
  readonly tedLeavesBank: string | null
  /** Forms of entry (G029) by service (G025). */
  readonly formsOfService: Readonly<Record<string, Allowed>>
  /** Services that a form of entry is for. */
  readonly servicesOfForm: Readonly<Record<string, Allowed>>
  /** Why the digit of branch and account (G012, segment A 43) stays blank. */
  readonly digitBlank: string | null
  /** Why payees at the bank itself and at others are in batches of their own. */
  readonly payeeBanksApart: string | null
  /** Which form of entry is for slips of the bank itself, and which for those of others. */
  readonly slipForms: { readonly own: string; readonly others: string; readonly clause: string } | null
  /** Why every record ends with CR LF. */
  readonly crlf: string | null
}

const G029_CHAMBERS = 'FEBRABAN 240 V08.6, G029 note 2'
const BRADESCO = 'Bradesco, Multipag validator'
const SISPAG = 'Itaú, SISPAG CNAB 240'

const febraban: BankRules = {
  chambers: {
    '03': { codes: ['018', '700'], clause: G029_CHAMBERS },
    '41': { codes: ['018'], clause: G029_CHAMBERS },
    '43': { codes: ['018'], clause: G029_CHAMBERS },
  },
  tedLeavesBank: null,
  formsOfService: {},
  servicesOfForm: { '04': { codes: ['30'], clause: 'FEBRABAN 240 V08.6, G029 code 04' } },
  digitBlank: null,
  payeeBanksApart: null,
  slipForms: { own: '30', others: '31', clause: 'FEBRABAN 240 V08.6, G029 codes 30 and 31' },
  crlf: null,
}

// The manual of 2012 keeps 18-20 zero in every form; the one of version 086 wants 018 for a TED.
const itauChamber: Allowed = { codes: ['018', '000'], clause: `${SISPAG}, segment A 18-20` }

const rulesOfBanks: Readonly<Record<string, BankRules>> = {
  '001': { ...febraban, crlf: 'Banco do Brasil, validation of layouts' },
  '033': febraban,
  '104': febraban,
  '237': {
    ...febraban,
    tedLeavesBank: `${BRADESCO}, segment A 18-20`,
    // Pix is younger than the list and is accepted.
    formsOfService: {
      '20': {
        codes: ['01', '02', '03', '05', '10', '20', '30', '31', '41', '43', '45', '47'],
        clause: `${BRADESCO}, batch header 12-13`,
      },
    },
    digitBlank: `${BRADESCO}, segment A 43`,
    payeeBanksApart: `${BRADESCO}, segment A 21-23`,
    crlf: `${BRADESCO}, line endings`,
  },
  '341': {
    ...febraban,
    chambers: { '41': itauChamber, '43': itauChamber },
    tedLeavesBank: `${SISPAG}, forms 41 and 43`,
  },
}

/** The rules of a bank, FEBRABAN's when the bank is not in the table. */
export const bankRulesOf = (bankCode: string): BankRules =>
  Object.hasOwn(rulesOfBanks, bankCode) ? rulesOfBanks[bankCode]! : febraban
