import type { ShownCode } from '../contract/errors.ts'
import type { Both } from './history-texts.ts'
import { type Said, saidBoth, together } from './sentences.ts'

const texts: Readonly<Record<ShownCode, Both>> = {
  'approval.certificate-invalid': {
    'en-US': 'The certificate cannot be used to approve.',
    'pt-BR': 'O certificado não pode ser usado para aprovar.',
  },
  'approval.certificate-without-cpf': {
    'en-US': 'The certificate names no CPF of a person.',
    'pt-BR': 'O certificado não traz o CPF de uma pessoa.',
  },
  'approval.certificate-cpf-mismatch': {
    'en-US': 'The CPF of the certificate is not that of the approver.',
    'pt-BR': 'O CPF do certificado não é o do aprovador.',
  },
  'approval.signature-invalid': {
    'en-US': 'The signature does not check.',
    'pt-BR': 'A assinatura não confere.',
  },
  'approval.signature-conflict': {
    'en-US': 'The signatures of the file changed meanwhile.',
    'pt-BR': 'As assinaturas do arquivo mudaram enquanto isso.',
  },
  'approval.second-factor-invalid-code': {
    'en-US': 'The code is wrong, or was used before.',
    'pt-BR': 'O código está errado ou já foi usado.',
  },
  'approval.second-factor-locked-out': {
    'en-US': 'Too many wrong codes in a row; wait five minutes before the next.',
    'pt-BR': 'Códigos errados demais em seguida; aguarde cinco minutos.',
  },
}

/** Why, where the code does not say it all. */
export const shownDetails = {
  'certificate-unreadable': {
    'en-US': 'It is not an X.509 certificate.',
    'pt-BR': 'Não é um certificado X.509.',
  },
  'certificate-unjudged': {
    'en-US': 'Whether it is valid cannot be found out now.',
    'pt-BR': 'Não foi possível saber agora se ele vale.',
  },
  'certificate-unfit': {
    'en-US': 'It cannot make the signature that the profile asks for.',
    'pt-BR': 'Ele não pode fazer a assinatura que o perfil pede.',
  },
  'begun-elsewhere': {
    'en-US': 'It was not begun here, by this person, for this file.',
    'pt-BR': 'Ela não foi iniciada aqui, por esta pessoa, para este arquivo.',
  },
  'begun-long-ago': {
    'en-US': 'It was begun more than 15 minutes ago.',
    'pt-BR': 'Ela foi iniciada há mais de 15 minutos.',
  },
  'other-key': {
    'en-US': 'The key of the certificate did not make it.',
    'pt-BR': 'Não foi a chave do certificado que a fez.',
  },
  'envelope-lost': {
    'en-US': 'Those collected so far are gone or altered: an operator has to cancel the job.',
    'pt-BR': 'As recolhidas até agora sumiram ou foram alteradas: um operador precisa cancelar o trabalho.',
  },
  'copy-lost': {
    'en-US': 'The copy of the file is gone or altered: an operator has to cancel the job.',
    'pt-BR': 'A cópia do arquivo sumiu ou foi alterada: um operador precisa cancelar o trabalho.',
  },
} as const satisfies Readonly<Record<string, Both>>

export type ShownDetail = keyof typeof shownDetails

/** What an approver who signs is shown instead of an approval: a code, and sentences in both languages. */
export class ShownRefusal extends Error {
  override readonly name = 'ShownRefusal'
  readonly code: ShownCode
  /** What to show, without secrets and without anybody's CPF. */
  readonly said: Said

  constructor(code: ShownCode, why: ShownDetail | readonly Said[] = [], cause?: unknown) {
    const reasons = typeof why === 'string' ? [saidBoth(shownDetails[why])] : why
    const said = together(saidBoth(texts[code]), ...reasons)
    super(said.text, { cause })
    this.code = code
    this.said = said
  }
}
