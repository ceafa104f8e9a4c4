import type { NamedCheck } from '@chancela/service-kernel/health'
import type { Bilingual } from '@chancela/service-kernel/i18n'
import { causeOf } from './causes.ts'

/** Red checks of one cause as a page shows them, in the words of the mails. */
export interface ShownNotice {
  /** Name of the checks up to the first colon. */
  readonly cause: string
  readonly title: Bilingual
  readonly advice: Bilingual
  /** Whom they are about; empty where it is the service itself. */
  readonly who: string
  /** Their reasons, in English; empty where they give none. */
  readonly detail: string
}

/** What a page says of the red ones among checks; what refuses calls comes first. */
export function noticesOf(checks: readonly NamedCheck[]): readonly ShownNotice[] {
  const red = withoutWarnings(checks.filter(({ ok }) => !ok))
  const causes = [...new Set(red.map(({ name }) => causeIn(name)))]
  const of = (severity: string) => causes.filter((cause) => causeOf(cause).severity === severity)
  return [...of('critical'), ...of('warning')].map((cause) =>
    shown(
      cause,
      red.filter(({ name }) => causeIn(name) === cause),
    ),
  )
}

function shown(cause: string, checks: readonly NamedCheck[]): ShownNotice {
  const { title, advice } = causeOf(cause)
  const found = checks.map(({ name, detail = '' }) => ({ one: name.slice(cause.length + 1), detail }))
  const who = found.map(({ one }) => one).filter(Boolean)
  const reasons = found
    .filter(({ detail }) => detail !== '')
    .map(({ one, detail }) => (who.length > 1 ? `${one}: ${detail}` : detail))
  return { cause, title, advice, who: who.join(', '), detail: reasons.join('; ') }
}

/** Of one certificate that has ended nobody needs the warning, too. */
function withoutWarnings(checks: readonly NamedCheck[]): readonly NamedCheck[] {
  const names = new Set(checks.map(({ name }) => name))
  return checks.filter(
    ({ name }) => !(causeIn(name) === 'certificate-expiring' && names.has(name.replace('-expiring', ''))),
  )
}

const causeIn = (name: string): string => name.split(':', 1)[0]!
