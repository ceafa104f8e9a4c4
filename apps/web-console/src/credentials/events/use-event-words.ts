import { useTranslation } from 'react-i18next'
import { eventsTexts } from '../texts/events-texts.ts'

const known = eventsTexts['en-US']
const has = <Words extends object>(words: Words, key: string): key is keyof Words & string => Object.hasOwn(words, key)

/** What was done, to what and by whom, in the visitor's words; what is newer than this page keeps its name. */
export function useEventWords() {
  const { t } = useTranslation('credentials-events')
  return {
    type: (type: string) => (has(known.type, type) ? t(`type.${type}`) : type),
    entity: (entity: string) => (has(known.entity, entity) ? t(`entity.${entity}`) : entity),
    actor: (kind: string) => (has(known.actor, kind) ? t(`actor.${kind}`) : kind),
  }
}
