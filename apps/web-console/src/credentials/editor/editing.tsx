import { type ComponentType, createContext, type ReactNode, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { useFieldWords } from '../parts/use-field-words.ts'
import { type EditorStore, plainPath, useOf } from './editor-store.ts'
import type { Field, NamedField } from './form-types.ts'
import { isOfAbsence, isOfChoice, isOfExpectation, sentenceIn } from './problem-words.ts'

interface EditingValue {
  readonly store: EditorStore
  /** Fields of the request that were chosen and fill others in. */
  readonly filled: readonly string[]
  /** Draws fields: parts hold fields, which hold parts. */
  readonly Fields: ComponentType<{ fields: readonly Field[]; path: string }>
}

const Editing = createContext<EditingValue | undefined>(undefined)

export const EditingProvider = ({ children, ...value }: EditingValue & { children: ReactNode }) => (
  <Editing value={value}>{children}</Editing>
)

export function useEditing(): EditingValue {
  const value = useContext(Editing)
  if (!value) throw new Error('a field outside of an editor')
  return value
}

export const useValue = (path: string): unknown => {
  const { store } = useEditing()
  return useOf(store, () => store.value(path))
}

/** What is wrong with a field, in the visitor's words. */
export function useProblemWords(): (path: string, says: string, field: NamedField | undefined) => ReactNode {
  const { t } = useTranslation('credentials-editor')
  const { language } = useLanguage()
  const { problem } = useFieldWords()
  return (path, says, field) => {
    if (isOfAbsence(says)) return t('missing')
    if (isOfChoice(says)) return t('choiceMissing')
    if (field?.kind === 'value' && isOfExpectation(says)) return t('expected', { what: field.expects })
    const sentence = sentenceIn(language, says)
    return sentence === says ? problem({ path, says }) : sentence
  }
}

/** What is wrong with the field at a path. */
export function useProblem(path: string, field?: NamedField): ReactNode {
  const { store } = useEditing()
  const words = useProblemWords()
  const says = useOf(store, ({ problems }) => problems.get(plainPath(path)))
  return says?.[0] === undefined ? undefined : words(path, says[0], field)
}
