import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldTexts } from '../texts/field-texts.ts'
import { stepsOf } from './draft.ts'
import type { FieldProblem } from './use-draft-form.ts'

type Names = keyof (typeof fieldTexts)['en-US']['names']
type Formats = keyof (typeof fieldTexts)['en-US']['formats']
type Sayings = keyof (typeof fieldTexts)['en-US']['says']

const english = fieldTexts['en-US']
const isNamed = (name: string): name is Names => Object.hasOwn(english.names, name)
const hasFormat = (name: string): name is Formats => Object.hasOwn(english.formats, name)
const isKnown = (saying: string): saying is Sayings => Object.hasOwn(english.says, saying)

/** What the validator says of a value whose form is wrong, in the languages that the service has. */
const isOfForm = (says: string): boolean => /pattern|padrão|format|formato/i.test(says)

/** Sentences of the service are told by their words: their keys have no blanks. */
const keyOf = (says: string): string => says.replaceAll(/[^\p{L}\p{N}]+/gu, '-').toLowerCase()

/** Fields and what is wrong with them, in the visitor's words. */
export function useFieldWords() {
  const { t } = useTranslation('credentials-fields')
  const step = (name: string): string => {
    if (/^\d+$/.test(name)) return String(Number(name) + 1)
    return isNamed(name) ? t(`names.${name}`) : name
  }
  const name = (path: string): string => step(stepsOf(path).at(-1)!)
  /** The whole way to a field; what only holds others together is left out. */
  const way = (path: string): string =>
    stepsOf(path)
      .filter((one, at) => at > 0 || one !== 'data')
      .map(step)
      .join(' › ')

  function problem({ path, says }: FieldProblem): ReactNode {
    const last = stepsOf(path).at(-1)!
    if (isOfForm(says) && hasFormat(last)) return t(`formats.${last}`)
    const key = keyOf(says)
    if (isKnown(key)) return t(`says.${key}`)
    return says
  }

  return { name, way, problem }
}
