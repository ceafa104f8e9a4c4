// FEBRABAN G025 and G029, with the codes that Pix and Itaú added. Banks extend both lists, so a code outside them is
// worth a warning and never a refusal.

/** The languages a person may read a report in. */
export type ReportLocale = 'pt-BR' | 'en-US'

type Names = Readonly<Record<ReportLocale, string>>

const name = (ptBr: string, enUs: string): Names => ({ 'pt-BR': ptBr, 'en-US': enUs })

const services: ReadonlySet<string> = new Set([
  ...['10', '20', '22', '25', '26', '30', '32', '33', '34', '40', '41', '50', '60', '70', '75', '77', '80', '90', '98'],
  // Itaú: debentures.
  '15',
])

const forms: Readonly<Record<string, Names>> = {
  '01': name('Crédito em conta corrente', 'Credit to current account'),
  '02': name('Cheque pagamento ou administrativo', 'Cashier’s cheque'),
  '03': name('DOC ou TED', 'DOC or TED transfer'),
  '04': name('Cartão salário', 'Salary card'),
  '05': name('Crédito em conta poupança', 'Credit to savings account'),
  '06': name('Crédito em conta do mesmo titular', 'Credit to own account'),
  '07': name('DOC do mesmo titular', 'DOC transfer, same holder'),
  '10': name('Ordem de pagamento', 'Payment order'),
  '11': name('Contas e tributos com código de barras', 'Bills and taxes with barcode'),
  '13': name('Contas de concessionárias', 'Utility bills'),
  '16': name('DARF', 'DARF federal tax'),
  '17': name('GPS', 'GPS social security'),
  '18': name('DARF Simples', 'DARF Simples federal tax'),
  '19': name('IPTU e tributos municipais', 'Municipal taxes'),
  '20': name('Pagamento com autenticação', 'Payment with authentication'),
  '21': name('DARJ', 'DARJ state tax'),
  '22': name('GARE-SP ICMS', 'GARE-SP ICMS state tax'),
  '23': name('GARE-SP DR', 'GARE-SP DR state tax'),
  '24': name('GARE-SP ITCMD', 'GARE-SP ITCMD state tax'),
  '25': name('IPVA', 'IPVA vehicle tax'),
  '26': name('Licenciamento', 'Vehicle licence'),
  '27': name('DPVAT', 'DPVAT vehicle insurance'),
  '30': name('Boleto do próprio banco', 'Slip of the same bank'),
  '31': name('Boleto de outro banco', 'Slip of another bank'),
  '32': name('Nota fiscal', 'Invoice settlement'),
  '35': name('FGTS', 'FGTS severance fund'),
  '41': name('TED de outro titular', 'TED transfer, other holder'),
  '43': name('TED do mesmo titular', 'TED transfer, same holder'),
  '44': name('TED para conta investimento', 'TED transfer to investment account'),
  '45': name('Pix', 'Pix'),
  '47': name('Pix QR Code', 'Pix QR code'),
  '50': name('Débito em conta corrente', 'Debit to current account'),
  '60': name('Cartão salário Itaú', 'Itaú salary card'),
  '71': name('Depósito judicial em conta corrente', 'Court deposit, current account'),
  '72': name('Depósito judicial em poupança', 'Court deposit, savings'),
}

const pixForms: ReadonlySet<string> = new Set(['45', '47'])

/** Whether the batch's service code is one of the published payment services. */
export const isKnownService = (code: string): boolean => services.has(code)

/** The name of a form of entry, null when the code is not in the list. */
export const formOfEntryName = (code: string, locale: ReportLocale): string | null => forms[code]?.[locale] ?? null

/** Whether a batch pays by Pix, whose segment B holds a Pix key where the others hold a due date. */
export const isPix = (formCode: string): boolean => pixForms.has(formCode)
