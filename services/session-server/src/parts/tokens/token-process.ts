// The process that has the module of one token: a library of somebody else that may crash or hang, and whose errors in
// OpenSSL's queue would be taken for ours. What it takes down is this process, and the sessions on the token.
import { EngineError } from '@chancela/signature-engine'
import {
  listPkcs11Certificates,
  listPkcs11Tokens,
  openPkcs11,
  type Pkcs11Token,
  type Pkcs11TokenInfo,
  signDigestOnToken,
} from '@chancela/signature-engine/keys'
import type { Certificate } from '@chancela/signature-engine/x509'
import type {
  PinRefusal,
  ShownCertificate,
  TokenAnswers,
  TokenPlan,
  TokenReply,
  TokenRequest,
} from './token-messages.ts'

type Request<Do extends TokenRequest['do']> = Extract<TokenRequest, { readonly do: Do }>

const digestNames = { 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' } as const

class ServedToken {
  readonly #plan: TokenPlan
  #open: Pkcs11Token | undefined

  constructor(plan: TokenPlan) {
    this.#plan = plan
  }

  async look(): Promise<TokenAnswers['look']> {
    const { info, isOne } = await this.#present()
    const shown =
      this.#open?.keys() ?? (await listPkcs11Certificates(this.#plan.module)).find(isOne)?.certificates ?? []
    return {
      certificates: shown.filter(({ certificate }) => isSigner(certificate)).map(sent),
      countLow: info.pinCountLow,
    }
  }

  async open({ pin, countLow }: Request<'open'>): Promise<TokenAnswers['open']> {
    await this.close()
    const { info } = await this.#present()
    if (info.pinCountLow && !countLow) return { refused: 'count-low' }
    const { module, sessions } = this.#plan
    try {
      this.#open = await openPkcs11({ module, token: nameOf(info), pin, sessions })
    } catch (error) {
      const refused = pinRefusals[codeOf(error)]
      if (!refused) throw error
      return { refused }
    }
    const keys = this.#open.keys().filter(({ certificate }) => isSigner(certificate))
    return { opened: keys.map(sent) }
  }

  async check(): Promise<TokenAnswers['check']> {
    await this.#present()
    return { isOpen: this.#open !== undefined }
  }

  async sign({ fingerprint, algorithm, digest }: Request<'sign'>): Promise<TokenAnswers['sign']> {
    if (!this.#open) throw new Error('nobody is logged in')
    return { signature: await signDigestOnToken(this.#open, fingerprint, digestNames[algorithm], digest) }
  }

  async close(): Promise<TokenAnswers['close']> {
    const open = this.#open
    this.#open = undefined
    await open?.close()
    return {}
  }

  /** The token of the settings; while one is open, that one and no other. */
  async #present() {
    const { module, token } = this.#plan
    const serial = this.#open?.info.serialNumber
    const isMeant = (info: Pkcs11TokenInfo): boolean =>
      (serial === undefined || info.serialNumber === serial) &&
      (token === undefined || token === info.label || token === info.serialNumber)
    const found = (await listPkcs11Tokens(module)).filter(isMeant)
    if (found.length !== 1)
      throw new Error(
        found.length === 0 ? 'the token is not there' : 'several tokens are there: TokenLabel must say which',
      )
    const [info] = found as [Pkcs11TokenInfo]
    // It could not be compared with anything: a client's PIN opens a session, nobody stands at the reader.
    if (info.protectedAuthenticationPath) throw new Error('the token takes its PIN at the reader')
    return { info, isOne: (one: { readonly info: Pkcs11TokenInfo }) => isMeant(one.info) }
  }
}

const nameOf = ({ serialNumber, label }: Pkcs11TokenInfo): string => serialNumber || label

const sent = ({
  certificate,
  chain,
}: {
  certificate: Certificate
  chain: readonly Certificate[]
}): ShownCertificate => ({
  der: certificate.der,
  chain: chain.map(({ der }) => der),
})

/** Tokens also hold issuers' certificates, and Ed25519 keys sign no digests. */
const isSigner = ({ extensions, keyType }: Certificate): boolean =>
  !extensions.isAuthority && (keyType === 'rsa' || keyType === 'ec')

const codeOf = (error: unknown): string => (error instanceof EngineError ? error.code : '')

const pinRefusals: Readonly<Record<string, PinRefusal>> = {
  'pkcs11.wrong-pin': 'wrong',
  'pkcs11.pin-final-try': 'final-try',
  'pkcs11.pin-locked': 'locked',
}

const handlers: {
  readonly [Do in TokenRequest['do']]: (token: ServedToken, request: Request<Do>) => Promise<TokenAnswers[Do]>
} = {
  look: (token) => token.look(),
  open: (token, request) => token.open(request),
  check: (token) => token.check(),
  sign: (token, request) => token.sign(request),
  close: (token) => token.close(),
}

async function reply(
  token: ServedToken,
  { id, ...request }: TokenRequest & { readonly id: number },
): Promise<TokenReply> {
  try {
    const handle = handlers[request.do] as (token: ServedToken, request: TokenRequest) => Promise<object>
    return { id, answer: await handle(token, request) }
  } catch (error) {
    return { id, problem: error instanceof Error ? error.message : String(error) }
  }
}

process.once('message', (plan: TokenPlan) => {
  const token = new ServedToken(plan)
  // In order, but for signatures: whoever opens a token anew finds it closed.
  let last: Promise<unknown> = Promise.resolve()
  process.on('message', (request: TokenRequest & { readonly id: number }) => {
    const answer = request.do === 'sign' ? reply(token, request) : last.then(() => reply(token, request))
    if (request.do !== 'sign') last = answer
    void answer.then((sent) => process.send?.(sent))
  })
})
// The service is gone, killed perhaps: a login must not outlive it.
process.once('disconnect', () => process.exit())
