import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { TechnicalDetail } from '../../shared/parts/technical-detail.tsx'
import type { ValidationResults } from '../api/types.ts'
import { validateTexts } from '../texts/validate-texts.ts'
import classes from './validate.module.css'

/** Most severe first. */
const groups = ['errors', 'indeterminateItens', 'warnings', 'passedChecks'] as const

type Item = ValidationResults['errors'][number]

/** The checks of a signature, with their results. */
export function Checks({ results, isOpen }: { results: ValidationResults; isOpen: boolean }) {
  const { t } = useTranslation('documents-validate')
  return (
    <details className={classes.checks} open={isOpen}>
      <summary>{t('checks')}</summary>
      {groups
        .filter((group) => results[group].length > 0)
        .map((group) => (
          <section key={group} data-group={group}>
            <h4 className={classes.group}>{t(`results.${group}`)}</h4>
            <ul className={classes.items}>
              {results[group].map((item) => (
                <li key={`${item.type} ${item.message}`}>
                  <Sentence item={item} isPassed={group === 'passedChecks'} />
                </li>
              ))}
            </ul>
          </section>
        ))}
    </details>
  )
}

type PassedCheck = keyof (typeof validateTexts)['en-US']['passed']

const isKnown = (type: string): type is PassedCheck => type in validateTexts['en-US'].passed

/** A result in the reader's language if the page or the service knows it, else in the words of whoever judged. */
function Sentence({ item: { type, message, messages, detail }, isPassed }: { item: Item; isPassed: boolean }) {
  const { t } = useTranslation('documents-validate')
  const { language } = useLanguage()
  if (isPassed && isKnown(type)) return t(`passed.${type}`)
  return (
    <>
      {messages?.[language]} <code className={classes.type}>{type}</code>
      {!messages && <TechnicalDetail>{[message, detail].filter(Boolean).join(' ')}</TechnicalDetail>}
    </>
  )
}
