import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldWords } from '../parts/use-field-words.ts'
import { useEditing, useProblemWords } from './editing.tsx'
import classes from './editor.module.css'
import { useOf } from './editor-store.ts'
import { placeOf } from './form-data.ts'
import type { Variant } from './form-types.ts'

/** Everything that is wrong, by the way to it; a press leads there. */
export function ProblemSummary({ variants }: { variants: readonly Variant[] }) {
  const { t } = useTranslation('credentials-editor')
  const { store } = useEditing()
  const problems = useOf(store, () => store.problems)
  const words = useProblemWords()
  const placed = usePlaces(variants)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // Whoever cannot see the page hears that something is wrong, and goes on from here.
    if (problems.size > 0) heading.current?.focus()
  }, [problems])
  if (problems.size === 0) return null
  const all = [...problems].flatMap(([path, says]) => says.map((one) => ({ path, says: one })))
  return (
    <section className={classes.summary} aria-labelledby="problems">
      <h2 id="problems" ref={heading} tabIndex={-1}>
        {t('problems', { count: all.length })}
      </h2>
      <p className={classes.help}>{t('problemsLead')}</p>
      <ul>
        {all.map(({ path, says }) => {
          const { way, field } = placed(path)
          return (
            <li key={`${path} ${says}`}>
              <button type="button" className={classes.jump} onClick={() => store.reveal(path)}>
                {way}
              </button>
              : {words(path, says, field)}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The way to a field in the visitor's words: those of the form, and of the fields around it. */
function usePlaces(variants: readonly Variant[]) {
  const { t } = useTranslation('credentials-editor')
  const { name } = useFieldWords()
  return (path: string) => {
    const variant = variants.find(({ at }) => path === at || path.startsWith(`${at}.`))
    if (!variant) return { way: path.includes('.') ? t('filled.title') : name(path), field: undefined }
    const { labels, field } = placeOf(variant.fields, path.slice(variant.at.length + 1))
    return { way: labels.length === 0 ? variant.label : labels.join(' › '), field }
  }
}
