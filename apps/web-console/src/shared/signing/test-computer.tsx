import { Button } from '@mantine/core'
import { CircleCheck, CircleDashed, CircleX, MonitorCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTaxId } from '../format/format-brazilian.ts'
import { useFormats } from '../format/use-formats.ts'
import { Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import {
  type ComputerReport,
  type JudgedResults,
  type StepState,
  stepStates,
  stoppedAt,
  type TestedCertificate,
} from './computer-report.ts'
import type { TokenRequests } from './offers.ts'
import { PairingCode } from './pairing-code.tsx'
import { SignFailure } from './sign-failure.tsx'
import classes from './signing.module.css'
import { useOutcomeText } from './use-outcome-text.ts'
import { useTokenRequest } from './use-token-request.ts'

/** Makes a test signature at a computer, and says what is missing there. */
export function TestComputer({ requests }: { requests: TokenRequests<ComputerReport> }) {
  const { t } = useTranslation('signing')
  const { state, begin, cancel } = useTokenRequest(requests)
  return (
    <>
      <Panel title={t('computer.needed')}>
        <ol className={classes.steps}>
          <li>{t('computer.needs.agent')}</li>
          <li>{t('computer.needs.token')}</li>
          <li>{t('computer.needs.running')}</li>
        </ol>
        {state.kind === 'failed' && <SignFailure error={state.error} />}
        {state.kind === 'open' ? (
          <PairingCode {...state} mayOpen={false} onCancel={cancel} />
        ) : (
          <Button
            loading={state.kind === 'beginning'}
            leftSection={<MonitorCheck size={16} aria-hidden="true" />}
            onClick={() => void begin()}
          >
            {t(state.kind === 'ended' ? 'computer.again' : 'computer.go')}
          </Button>
        )}
      </Panel>
      {state.kind === 'ended' && <Report report={state.outcome} />}
    </>
  )
}

const icons: Readonly<Record<StepState, typeof CircleCheck>> = { good: CircleCheck, bad: CircleX, open: CircleDashed }

function Report({ report }: { report: ComputerReport }) {
  const { t } = useTranslation('signing')
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const stop = stoppedAt(report)
  return (
    <section className={classes.report} aria-labelledby="computer-report">
      <h2
        id="computer-report"
        ref={title}
        tabIndex={-1}
        className={classes.reportTitle}
        data-tone={stop ? 'bad' : 'good'}
      >
        {t(stop ? 'computer.missing' : 'computer.ready')}
      </h2>
      <ul className={classes.checks}>
        {stepStates(report).map(({ step, state }) => {
          const Icon = icons[state]
          return (
            <li key={step} className={classes.check} data-state={state}>
              <Icon size={20} aria-hidden="true" />
              <span>
                {t(`computer.steps.${step}`)} <span className={classes.quiet}>{t(`computer.states.${state}`)}</span>
                {state === 'bad' && <Advice report={report} />}
              </span>
            </li>
          )
        })}
      </ul>
      {report.certificate && <Tested certificate={report.certificate} />}
    </section>
  )
}

/** What to do about the step that stopped the test. */
function Advice({ report: { outcome, validationResults } }: { report: ComputerReport }) {
  const { t } = useTranslation('signing')
  const explain = useOutcomeText()
  if (outcome === 'expired') return <p>{t('computer.noAgent')}</p>
  if (outcome !== 'signed') return <p>{explain(outcome)}</p>
  return <Judged results={validationResults} />
}

function Judged({ results }: { results: JudgedResults | null }) {
  const { t } = useTranslation('signing')
  const items = [...(results?.errors ?? []), ...(results?.indeterminateItens ?? [])]
  return (
    <>
      <p>{t('computer.notAccepted')}</p>
      {items.map(({ type, message, detail }) => (
        <p key={type + message} lang="en" className={classes.quiet}>
          {message}
          {detail && ` (${detail})`}
        </p>
      ))}
    </>
  )
}

function Tested({ certificate }: { certificate: TestedCertificate }) {
  const { t } = useTranslation('signing')
  const { date } = useFormats()
  const { name, identifier, issuer, notBefore, notAfter } = certificate
  return (
    <div className={classes.certificate}>
      <Facts
        dense
        rows={[
          [t('file.holder'), name],
          [t(identifier?.length === 11 ? 'file.cpf' : 'file.cnpj'), identifier && formatTaxId(identifier)],
          [t('file.issuer'), issuer],
          [t('file.validity'), t('file.validityRange', { from: date(notBefore), to: date(notAfter) })],
        ]}
      />
    </div>
  )
}
