// What differs from 1.05 in the values of layout 1.02.
import { narrowed, oneOf, text } from '../../language/simple.ts'
import { wordCharacter } from '../character-sets.ts'

/** Latin-1 only. */
export const linha = text('texto em caracteres latinos, sem espaços no início nem no fim', {
  patterns: [/^[!-ÿ](?:[ -ÿ]*[!-ÿ])?$/u],
})
export const nome = narrowed(linha, 'texto de 1 a 255 caracteres latinos, sem espaços no início nem no fim', {
  minLength: 1,
  maxLength: 255,
})
export const numeroRg = text('número do RG: de 6 a 15 letras ou algarismos, sem pontuação', {
  blanks: 'collapse',
  maxLength: 15,
  patterns: [/^[a-zA-Z0-9]{6,15}$/u],
})
export const numeroDoAto = narrowed(linha, 'algarismos, seguidos ou não de barra e letras ou algarismos', {
  patterns: [new RegExp(`^[0-9]+(?:/${wordCharacter}+)*$`, 'u')],
})
export const versao = { type: oneOf('1.02'), min: 1, fixed: '1.02' } as const
