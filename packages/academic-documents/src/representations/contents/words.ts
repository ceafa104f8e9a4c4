import { RepresentationProblem } from '../errors.ts'
import type { Address, EmecProcess, Municipality, Person, RegulatoryAct } from './shapes.ts'

// How a Brazilian document writes what the XML holds in digits.

const months = [
  'janeiro',
  'fevereiro',
  'março',
  'abril',
  'maio',
  'junho',
  'julho',
  'agosto',
  'setembro',
  'outubro',
  'novembro',
  'dezembro',
] as const

/** Year, month and day of `2026-11-17`; a time after it is not read. */
function dateParts(value: string): readonly [year: string, month: number, day: number] {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)(?:$|[T+Z-])/.exec(value) ?? []
  if (!year || Number(month) > 12 || Number(month) < 1) throw new RepresentationProblem('content.date', { value })
  return [year, Number(month), Number(day)]
}

/** `17 de novembro de 2026`. The first day of a month is an ordinal. */
export function longDate(value: string): string {
  const [year, month, day] = dateParts(value)
  return `${day === 1 ? '1º' : day} de ${months[month - 1]} de ${year}`
}

/** `17/11/2026`. */
export function shortDate(value: string): string {
  const [year, month, day] = dateParts(value)
  return `${two(day)}/${two(month)}/${year}`
}

const two = (value: number): string => String(value).padStart(2, '0')

export const formattedCpf = (cpf: string): string => cpf.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4')

/** Only the six digits in the middle, as in the public record of degrees (Portaria MEC 1.095/2018, art. 23). */
export const maskedCpf = (cpf: string): string => cpf.replace(/^\d{3}(\d{3})(\d{3})\d{2}$/, '***.$1.$2-**')

/** Letters and digits: a CNPJ may have both since 2026. */
export const formattedCnpj = (cnpj: string): string =>
  cnpj.replace(/^(\w{2})(\w{3})(\w{3})(\w{4})(\w{2})$/, '$1.$2.$3/$4-$5')

/** `a, b e c`. */
export const listed = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} e ${items.at(-1)}`

export const placeOf = (place: Municipality | undefined): string | undefined =>
  place?.nomeMunicipioEstrangeiro ??
  (place?.nomeMunicipio && [place.nomeMunicipio, place.uf].filter(Boolean).join(' – '))

export function addressOf(address: Address | undefined): string | undefined {
  if (!address?.logradouro) return undefined
  const { logradouro, numero, complemento, bairro, cep } = address
  const parts = [
    logradouro,
    numero,
    complemento,
    bairro,
    placeOf(address),
    cep && `CEP ${cep.replace(/(\d{5})/, '$1-')}`,
  ]
  return parts.filter(Boolean).join(', ')
}

export function actOf(act: RegulatoryAct | undefined): string | undefined {
  if (!act) return undefined
  if (act.informacoesTramitacaoEMEC) return processOf(act.informacoesTramitacaoEMEC)
  const publication = [
    act.veiculoPublicacao ?? (act.dataPublicacao && 'DOU'),
    act.dataPublicacao && `de ${shortDate(act.dataPublicacao)}`,
    act.secaoPublicacao !== undefined && `seção ${act.secaoPublicacao}`,
    act.paginaPublicacao !== undefined && `p. ${act.paginaPublicacao}`,
    act.numeroDOU !== undefined && `nº ${act.numeroDOU}`,
  ].filter(Boolean)
  const head = [act.tipo, act.numero && `nº ${act.numero}`].filter(Boolean).join(' ')
  return [head, act.data && `de ${shortDate(act.data)}`, publication.join(', ').replace(', de', ' de')]
    .filter(Boolean)
    .join(', ')
}

export const processOf = ({ numeroProcesso, tipoProcesso, dataProtocolo }: EmecProcess): string =>
  [`Processo e-MEC nº ${numeroProcesso}`, tipoProcesso, dataProtocolo && `protocolado em ${shortDate(dataProtocolo)}`]
    .filter(Boolean)
    .join(', ')

/** The identity document of a person in words. */
export function documentOf({ rg, outroDocumentoIdentificacao: other }: Person): string | undefined {
  if (other) return `${other.tipoDocumento} nº ${other.identificador}`
  if (!rg) return undefined
  return `Cédula de Identidade nº ${rg.numero}${rg.orgaoExpedidor || rg.uf ? ` – ${[rg.orgaoExpedidor, rg.uf].filter(Boolean).join('/')}` : ''}`
}

// Lei 12.605/2012: diplomas name profession and degree in the gender of the person. The layouts have one form of each.
const feminine: Readonly<Record<string, string>> = {
  Licenciado: 'Licenciada',
  Tecnólogo: 'Tecnóloga',
  Bacharel: 'Bacharela',
  Médico: 'Médica',
}

export const gendered = (title: string, sex: string | undefined): string => (sex === 'F' && feminine[title]) || title
