import { SECOND } from '@chancela/service-kernel/clock'
import { identityOf, newIdentitySecret, readEnrolmentCode } from '@chancela/session-server/channel'
import Type from 'typebox'
import { Value } from 'typebox/value'
import { AgentProblem } from './agent-problem.ts'
import { AgentHome, type Enrolment } from './home.ts'
import { platform, version } from './version.ts'

const Enrolled = Type.Object({ workstationId: Type.String(), name: Type.String(), serverPublicKey: Type.String() })

/** Enrols this machine with a code of the console; its folder is the agent's from now on. */
export async function enrol(home: string, consoleUrl: string, text: string): Promise<Enrolment> {
  const code = readEnrolmentCode(text)
  if (!code) throw new AgentProblem('This is not an enrolment code: one has six groups of five characters.')
  const server = baseOf(consoleUrl)
  const secret = newIdentitySecret()
  const about = { publicKey: identityOf(secret).publicKey, platform, agentVersion: version }
  const answer = await post(`${server}/agents/enrol`, { ...about, codeKey: code.key, proof: code.prove(about) })
  // The code names its server: whoever else answers learned nothing from us, and is not believed.
  if (!code.isOf(answer.serverPublicKey))
    throw new AgentProblem('Another server answered than the one that made the code: nothing was enrolled.')
  const { workstationId, name, serverPublicKey } = answer
  const enrolment: Enrolment = { server, serverPublicKey, workstationId, name, secret }
  new AgentHome(home).writeEnrolment(enrolment)
  return enrolment
}

function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new AgentProblem('The address of the console must be an http or https URL.')
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

async function post(url: string, body: object) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(30 * SECOND),
  }).catch((error: unknown) => {
    throw new AgentProblem(`${new URL(url).origin} does not answer: ${reasonOf(error)}.`)
  })
  const value: unknown = await answer.json().catch(() => undefined)
  if (answer.status === 401) throw new AgentProblem('The code is unknown, used or too old: ask for another.')
  if (!answer.ok || !Value.Check(Enrolled, value))
    throw new AgentProblem(
      `${new URL(url).origin} answered with status ${answer.status}, not as a session server does.`,
    )
  return value
}

const reasonOf = (error: unknown): string => {
  const { cause, message } = error as Error & { cause?: Error }
  return cause?.message || message
}
