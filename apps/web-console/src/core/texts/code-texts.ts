import { codeTexts as ofEveryConsole } from '../../console/texts/code-texts.ts'
import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  ...ofEveryConsole['en-US'],
  BackgroundProcessing: 'It has been signed, and is being processed.',
  BadSignatureSessionOperation: 'The session has ended meanwhile.',
  BioSubjectNotFound: 'This person is not known.',
  EntityAlreadyExists: 'Another one has this name.',
  EntityIsReadOnly: 'It belongs to the instance: nobody changes it.',
  EntityNotFound: 'It is gone. Somebody may have removed it.',
  EntityUnusable: 'It is the default of the subscription. Choose another one first.',
  EndUserCertificate: 'One of the certificates is not of an authority.',
  Forbidden: 'The roles exceed those of the caller.',
  PKCertificateMalformed: 'One of the certificates cannot be read.',
  SecurityContextNotFound: 'This security context is gone.',
  SignatureSessionNotFound: 'This session is gone.',
} as const

/** The explanation of each error code of the console. */
export const codeTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    ...ofEveryConsole['pt-BR'],
    BackgroundProcessing: 'Já foi assinada e está em processamento.',
    BadSignatureSessionOperation: 'A sessão terminou nesse meio-tempo.',
    BioSubjectNotFound: 'Esta pessoa não é conhecida.',
    EntityAlreadyExists: 'Já existe outro com este nome.',
    EntityIsReadOnly: 'Pertence à instância: ninguém o altera.',
    EntityNotFound: 'Não existe mais. Alguém pode ter removido.',
    EntityUnusable: 'É o padrão da conta. Escolha outro antes.',
    EndUserCertificate: 'Um dos certificados não é de uma autoridade.',
    Forbidden: 'Os papéis excedem os de quem pede.',
    PKCertificateMalformed: 'Um dos certificados não pode ser lido.',
    SecurityContextNotFound: 'Este contexto de segurança não existe mais.',
    SignatureSessionNotFound: 'Esta sessão não existe mais.',
  },
}
