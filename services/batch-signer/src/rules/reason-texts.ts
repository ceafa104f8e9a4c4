import { type RecordedCode, recordedCodes } from '../contract/errors.ts'

interface Sentence {
  readonly 'en-US': string
  readonly 'pt-BR': string
  /** It says everything: the sentence of the code is not put before it. */
  readonly alone?: true
}

const portuguese: Readonly<Record<RecordedCode, string>> = {
  'job.input-held': 'Outro processo mantinha o arquivo de entrada no momento da leitura; nada foi assinado.',
  'job.input-diverged': 'O arquivo de entrada foi regravado durante o trabalho e ficou no lugar.',
  'job.input-missing': 'O arquivo de entrada sumiu antes de ser lido.',
  'job.input-unstable': 'O arquivo de entrada não parou de mudar durante a leitura; nada foi assinado.',
  'job.interrupted': 'O serviço parou enquanto trabalhava no arquivo.',
  'job.signing-failed': 'A assinatura não pôde ser feita.',
  'job.verification-failed': 'A assinatura feita não passou na verificação.',
  'job.encryption-failed': 'A saída não pôde ser criptografada.',
  'job.output-exists': 'Já existe uma saída em',
  'job.storage-failed': 'Os arquivos do trabalho não puderam ser lidos ou gravados.',
  'job.certificate-invalid': 'O certificado do perfil não vale para assinar agora.',
  'file.already-processed': 'Um arquivo com este nome já foi assinado ou está sendo assinado.',
  'profile.degraded': 'O perfil de assinatura não consegue assinar.',
  'profile.timestamp-unavailable': 'A autoridade de carimbo do tempo do perfil não fornece carimbos.',
  'profile.not-found': 'O perfil de assinatura não existe mais.',
  'cnab240.invalid': 'O arquivo não é uma remessa CNAB240 em conformidade.',
  'cnab240.payment-date-passed': 'A primeira data de pagamento da remessa já passou.',
}

/** The sentence of each code, in the languages of the dashboard. */
export const codeSentences = Object.fromEntries(
  Object.entries(recordedCodes).map(([code, english]) => [
    code,
    { 'en-US': english, 'pt-BR': portuguese[code as RecordedCode] },
  ]),
) as Readonly<Record<RecordedCode, Sentence>>

/** What this service itself has to say about a failure. `{name}` is filled from the facts of the reason. */
export const detailTexts = {
  'payment-date-passed': {
    alone: true,
    'en-US':
      'The earliest payment date is {earliest} and today is {today}: the bank would refuse a payment in the past.',
    'pt-BR': 'A primeira data de pagamento é {earliest} e hoje é {today}: o banco recusaria um pagamento no passado.',
  },
  'too-large-to-check': { 'en-US': 'It is larger than {limit} bytes.', 'pt-BR': 'Ele passa de {limit} bytes.' },
  'too-large-to-sign': {
    'en-US': 'The file has {length} bytes; {format} signs files of up to {limit}. Cades has no limit.',
    'pt-BR': 'O arquivo tem {length} bytes; {format} assina arquivos de até {limit}. Cades não tem limite.',
  },
  'already-processed': {
    'en-US': 'Job {holder} carries the name, with the file {name}.',
    'pt-BR': 'O nome é do trabalho {holder}, com o arquivo {name}.',
  },
  'copy-unreadable': {
    'en-US': 'The staged copy cannot be read.',
    'pt-BR': 'A cópia de trabalho não pode ser lida.',
  },
  'copy-changed': {
    'en-US': 'The staged copy is not what was staged.',
    'pt-BR': 'A cópia de trabalho não é mais a que foi feita.',
  },
  unexpected: {
    'en-US': 'An unexpected error occurred; the log of the service has it.',
    'pt-BR': 'Ocorreu um erro inesperado; ele está no log do serviço.',
  },
} as const satisfies Readonly<Record<string, Sentence>>

export type DetailKey = keyof typeof detailTexts

/** Ends the first finding of a file with several. */
export const moreTexts = { 'en-US': 'And {more} more.', 'pt-BR': 'E mais {more}.' } as const
