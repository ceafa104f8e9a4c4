import type { ProfileDraft } from '../api/profiles.ts'

export type Visible = NonNullable<ProfileDraft['visible']>

export const corners = ['bottom-right', 'bottom-left', 'top-right', 'top-left'] as const

/** What a signature shows when it is first made visible. */
export const newVisible: Visible = {
  page: 'last',
  corner: 'bottom-right',
  x: 36,
  y: 36,
  width: 200,
  height: 60,
  lines: ['{name}', 'CPF {maskedCpf}', '{date}'],
  image: null,
  border: true,
}

/** The page as it is typed: a word, or a number from 1. */
export function pageOf(text: string): Visible['page'] {
  if (text === 'first' || text === 'last') return text
  return Math.max(1, Math.trunc(Number(text)) || 1)
}

/** An A4 page in points. */
export const PAGE = { width: 595, height: 842 } as const

/** Where the box stands on a page, from its upper left. */
export const boxOf = ({ corner, x, y, width, height }: Visible) => ({
  x: corner.endsWith('right') ? PAGE.width - x - width : x,
  y: corner.startsWith('top') ? y : PAGE.height - y - height,
  width,
  height,
})

const sample: Readonly<Record<string, string>> = {
  name: 'Maria de Souza',
  cpf: '529.982.247-25',
  maskedCpf: '***.982.247-**',
  cnpj: '11.222.333/0001-81',
  date: '17/11/2026 19:08:23 -03:00',
}

/** A line as a document might show it. */
export const sampleLine = (line: string, more: Readonly<Record<string, string>>): string =>
  line.replaceAll(/\{(\w+)\}/g, (field, name: string) => ({ ...sample, ...more })[name] ?? field)
