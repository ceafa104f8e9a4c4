// The walk through a signature: a document is sent, its signer gets an e-mail, signs, and the result is validated. The
// services hold all of its state; a walk is only a view of one document, so closing the page loses nothing.
import type {
  AnswerOf,
  createActionUrl,
  createDocuments,
  readDocument,
  uploadFile,
} from '@chancela/document-platform/contract'
import { LruCache } from '@chancela/service-kernel/concurrency'
import { Refusal } from '@chancela/service-kernel/errors'
import type { InterfaceLanguage } from '@chancela/service-kernel/i18n'
import type { ReceivedMail } from '@chancela/testkit/mail'
import { sampleContract } from '../demo-samples.ts'
import type { HolderView, WalkView } from '../home/contract.ts'
import type { SuiteBoard } from '../home/suite-board.ts'
import type { Mailbox } from '../mail/mailbox.ts'
import { type PlatformCaller, PlatformRefusal, platformCaller } from '../platform-caller.ts'
import { refuse } from '../problems.ts'
import { judgeSigned } from './judge-signed.ts'

type PlatformDocument = AnswerOf<typeof readDocument>

const documentNames = { 'pt-BR': 'Contrato de demonstração', 'en-US': 'Sample contract' } as const

/** The languages of e-mails, under the platform's names. */
const letterLanguages = { 'pt-BR': 'Pt', 'en-US': 'En' } as const

/** Position of the visible signature, below the text of the contract. */
const MARK = { pageNumber: 1, topLeftX: 72, topLeftY: 360, width: 240, height: 72 }

/** Verdicts are cached, because the page polls every few seconds; the oldest of this many walks is no longer viewed. */
const KEPT_VERDICTS = 50

export class Walks {
  readonly #board: SuiteBoard
  readonly #mailbox: Mailbox
  readonly #verdicts = new LruCache<string, ReturnType<typeof judgeSigned>>(KEPT_VERDICTS)

  constructor(board: SuiteBoard, mailbox: Mailbox) {
    this.#board = board
    this.#mailbox = mailbox
  }

  /** Sends the sample contract to a holder of the demo, in the visitor's language. */
  async begin(language: InterfaceLanguage, now: Date): Promise<WalkView> {
    const [signer] = this.#board.holders
    return this.#atPlatform(async (platform) => {
      const file = await upload(platform, language)
      const [created] = await platform.call<AnswerOf<typeof createDocuments>>('POST', '/api/documents', {
        files: [{ ...file, displayName: documentNames[language] }],
        flowActions: [
          {
            type: 'Signer',
            step: 1,
            user: userOf(signer!),
            notificationLanguage: letterLanguages[language],
            prePositionedMarks: [MARK],
          },
        ],
      })
      return this.#view(platform, created!.documentId, now)
    })
  }

  /** The state of a walk. */
  view(id: string, now: Date): Promise<WalkView> {
    return this.#atPlatform((platform) => this.#view(platform, id, now))
  }

  /** The signed PDF. */
  signed(id: string): Promise<Buffer> {
    return this.#atPlatform((platform) => platform.bytes(signedPath(id)))
  }

  async #atPlatform<Result>(work: (platform: PlatformCaller) => Promise<Result>): Promise<Result> {
    const missing = this.#board.walkMissing
    if (missing.length > 0) throw refuse('walk.not-ready', { missing })
    const { baseUrl, apiKey } = this.#board.known('document-platform')!
    try {
      return await work(platformCaller(baseUrl, apiKey!))
    } catch (error) {
      throw error instanceof Refusal ? error : refuse(isGone(error) ? 'walk.not-found' : 'walk.failed', {}, error)
    }
  }

  async #view(platform: PlatformCaller, id: string, now: Date): Promise<WalkView> {
    const document = await platform.call<PlatformDocument>('GET', `/api/documents/${id}`)
    const { name, creationDate, status, key } = document
    const signer = this.#signerOf(document)
    const letter = this.#mailbox.mails().find((mail) => isAbout(mail, key))
    const { baseUrl } = this.#board.known('document-platform')!
    const isSigned = status === 'Concluded'
    return {
      id,
      documentName: name,
      sentAt: creationDate,
      status,
      signer,
      hasCloud: ['cloud-hub', 'demo-cloud'].every((needed) => this.#board.known(needed)),
      validateUrl: `${baseUrl}/validate/${key}`,
      ...(letter && { letter: letterView(letter) }),
      ...(status === 'Pending' && { signUrl: await signUrl(platform, id, signer) }),
      ...(isSigned && { signedUrl: `api/walks/${id}/signed.pdf`, verdict: await this.#verdict(platform, id, now) }),
    }
  }

  /** The demo holder who is to sign; a document with another signer is not a walk. */
  #signerOf({ flowActions }: PlatformDocument): HolderView {
    const cpf = flowActions[0]?.user?.identifier
    const signer = this.#board.holders.find((holder) => holder.cpf === cpf)
    if (!signer) throw refuse('walk.not-found')
    return signer
  }

  #verdict(platform: PlatformCaller, id: string, now: Date): ReturnType<typeof judgeSigned> {
    const known = this.#verdicts.get(id)
    if (known) return known
    const { baseUrl } = this.#board.known('demo-pki')!
    const verdict = platform.bytes(signedPath(id)).then((pdf) => judgeSigned(pdf, `${baseUrl}/roots.pem`, now))
    this.#keep(id, verdict)
    return verdict
  }

  #keep(id: string, verdict: ReturnType<typeof judgeSigned>): void {
    this.#verdicts.set(id, verdict)
    verdict.catch(() => this.#verdicts.delete(id)) // the caller gets the error; the next request tries again
  }
}

const isGone = (error: unknown): boolean => error instanceof PlatformRefusal && error.code === 'DocumentNotFound'

const signedPath = (id: string) => `/api/documents/${id}/content?type=Signatures`

const userOf = ({ name, cpf, email }: HolderView) => ({ name, identifier: cpf, email })

async function upload(platform: PlatformCaller, language: InterfaceLanguage) {
  const form = new FormData()
  const content = new Blob([new Uint8Array(sampleContract(language))], { type: 'application/pdf' })
  form.set('file', content, `${documentNames[language]}.pdf`)
  const { id, name, contentType } = await platform.call<AnswerOf<typeof uploadFile>>('POST', '/api/uploads', form)
  return { id, name, contentType }
}

/** The e-mail that asks for the signature contains the address of the page. */
const isAbout = ({ text }: ReceivedMail, key: string): boolean => text.includes(`/document/key/${key}/sign`)

const letterView = ({ number, subject, to, date }: ReceivedMail): NonNullable<WalkView['letter']> => ({
  subject,
  to: to.map(({ address }) => address).join(', '),
  receivedAt: date.toISOString(),
  url: `mail/${number}`,
})

async function signUrl(platform: PlatformCaller, id: string, { cpf }: HolderView): Promise<string> {
  const wanted = { identifier: cpf }
  const path = `/api/documents/${id}/action-url`
  return (await platform.call<AnswerOf<typeof createActionUrl>>('POST', path, wanted)).url
}
