import { CircleCheck, CircleDashed, CircleX, MonitorCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { formatTaxId } from '../format/format-brazilian.ts'
import { fill } from '../i18n/fill.ts'
import { Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { Button } from './button.tsx'
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
import { useSigningTexts, useTimes } from './signing-page.ts'
import { useOutcomeText } from './use-outcome-text.ts'
import { useTokenRequest } from './use-token-request.ts'

/** Makes a test signature at a computer, and says what is missing there. */
export function TestComputer({ requests }: { requests: TokenRequests<ComputerReport> }) {
  const { computer } = useSigningTexts()
  const { state, begin, cancel } = useTokenRequest(requests)
  return (
    <>
      <Panel title={computer.needed}>
        <ol className={classes.steps}>
          <li>{computer.needs.agent}</li>
          <li>{computer.needs.token}</li>
          <li>{computer.needs.running}</li>
        </ol>
        {state.kind === 'failed' && <SignFailure error={state.error} />}
        {state.kind === 'open' ? (
          <PairingCode {...state} mayOpen={false} onCancel={cancel} />
        ) : (
          <Button busy={state.kind === 'beginning'} icon={MonitorCheck} onClick={() => void begin()}>
            {state.kind === 'ended' ? computer.again : computer.go}
          </Button>
        )}
      </Panel>
      {state.kind === 'ended' && <Report report={state.outcome} />}
    </>
  )
}

const icons: Readonly<Record<StepState, typeof CircleCheck>> = { good: CircleCheck, bad: CircleX, open: CircleDashed }

function Report({ report }: { report: ComputerReport }) {
  const { computer } = useSigningTexts()
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
        {stop ? computer.missing : computer.ready}
      </h2>
      <ul className={classes.checks}>
        {stepStates(report).map(({ step, state }) => {
          const Icon = icons[state]
          return (
            <li key={step} className={classes.check} data-state={state}>
              <Icon size={20} aria-hidden="true" />
              <span>
                {computer.steps[step]} <span className={classes.quiet}>{computer.states[state]}</span>
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
  const { computer } = useSigningTexts()
  const explain = useOutcomeText()
  if (outcome === 'expired') return <p>{computer.noAgent}</p>
  if (outcome !== 'signed') return <p>{explain(outcome)}</p>
  return <Judged results={validationResults} />
}

function Judged({ results }: { results: JudgedResults | null }) {
  const { computer } = useSigningTexts()
  const items = [...(results?.errors ?? []), ...(results?.indeterminateItens ?? [])]
  return (
    <>
      <p>{computer.notAccepted}</p>
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
  const { file } = useSigningTexts()
  const { date } = useTimes()
  const { name, identifier, issuer, notBefore, notAfter } = certificate
  return (
    <div className={classes.certificate}>
      <Facts
        dense
        rows={[
          [file.holder, name],
          [identifier?.length === 11 ? file.cpf : file.cnpj, identifier && formatTaxId(identifier)],
          [file.issuer, issuer],
          [file.validity, fill(file.validityRange, { from: date(notBefore), to: date(notAfter) })],
        ]}
      />
    </div>
  )
}
