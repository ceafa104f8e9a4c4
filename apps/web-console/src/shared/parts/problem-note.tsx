import { Button } from '@mantine/core'
import { RefreshCw, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { CallFailure, type Problem } from '../api/request.ts'
import { type Finding, useCodeText } from '../bundle.ts'
import { Findings } from './findings.tsx'
import classes from './parts.module.css'

/** Why something failed: a sentence, and for refusals the code and the request id to look up in the log. */
export function ProblemNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useTranslation()
  const sentence = useFailureText()(error)
  const problem = error instanceof CallFailure && error.reason.kind === 'refused' ? error.reason.problem : undefined
  return (
    <div className={classes.problem} role="alert">
      <TriangleAlert size={20} aria-hidden="true" />
      <div className={classes.problemText}>
        <p>{sentence}</p>
        {problem && <Reasons problem={problem} />}
        {problem && (
          <p className={classes.problemTrace}>
            {t('problem.code')} <code>{problem.code}</code>
            {typeof problem.details.field === 'string' && (
              <>
                {' · '}
                {t('problem.field')} <code>{problem.details.field}</code>
              </>
            )}
            {problem.requestId && (
              <>
                {' · '}
                {t('problem.request')} <code>{problem.requestId}</code>
              </>
            )}
          </p>
        )}
      </div>
      {onRetry && (
        <Button variant="default" size="xs" leftSection={<RefreshCw size={14} aria-hidden="true" />} onClick={onRetry}>
          {t('problem.retry')}
        </Button>
      )}
    </div>
  )
}

/** More of the refusal: what was found, as the page says it, or the service's own English words. */
function Reasons({ problem }: { problem: Problem }) {
  const findings = (problem.details.findings ?? []) as readonly Finding[]
  return reasonsIn(problem).map((reason) => (
    <div key={reason} className={classes.problemTrace}>
      <Findings findings={findings} otherwise={reason} />
    </div>
  ))
}

/** Sentences of the refusal; a reason of a single word is meant for programs. */
const reasonsIn = ({ details: { reason, problems } }: Problem): readonly string[] =>
  [reason, problems].flat().filter((said): said is string => typeof said === 'string' && said.includes(' '))

/** A failure as a sentence of the operator's language. */
export function useFailureText(): (error: unknown) => string {
  const { t } = useTranslation()
  const { explain } = useCodeText()
  return (error) => {
    // Any other error is a bug: it belongs in the error boundary, not in a sentence that blames the server.
    if (!(error instanceof CallFailure)) throw error
    switch (error.reason.kind) {
      case 'unreachable':
        return t('problem.unreachable', { origin: location.origin })
      case 'unreadable':
        return t('problem.unreadable')
      case 'passkey':
        return t(`problem.passkey.${error.reason.problem}`)
      case 'refused':
        return explain(error.reason.problem.code, error.reason.problem.title)
    }
  }
}
