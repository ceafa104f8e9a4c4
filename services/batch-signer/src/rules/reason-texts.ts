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
  'folder.input-unavailable': 'A pasta de entrada não pode ser usada agora.',
  'folder.output-unavailable': 'A pasta de saída não pode ser usada agora.',
  'profile.degraded': 'O perfil de assinatura não consegue assinar.',
  'profile.key-unavailable': 'O arquivo seria assinado com a chave do perfil, que não tem mais nenhuma.',
  'profile.timestamp-unavailable': 'A autoridade de carimbo do tempo do perfil não fornece carimbos.',
  'profile.not-found': 'O perfil de assinatura não existe mais.',
  'cnab240.invalid': 'O arquivo não é uma remessa CNAB240 em conformidade.',
  'cnab240.payment-date-passed': 'A primeira data de pagamento da remessa já passou.',
  'approval.rejected': 'Um aprovador rejeitou o arquivo antes que ele fosse assinado.',
  'approval.content-changed': 'A cópia aprovada mudou depois da aprovação; nada foi assinado.',
  'approval.content-unmeasured': 'Não se sabe qual conteúdo foi aprovado; nada foi assinado.',
  'approval.signer-set-unsupported': 'As assinaturas que a regra de aprovação pede não podem ser feitas.',
  'approval.signatures-missing': 'Faltam assinaturas de aprovadores.',
}

/** The sentence of each code, in the languages of the dashboard. */
export const codeSentences = Object.fromEntries(
  Object.entries(recordedCodes).map(([code, english]) => [
    code,
    { 'en-US': english, 'pt-BR': portuguese[code as RecordedCode] },
  ]),
) as Readonly<Record<RecordedCode, Sentence>>

const stopped = {
  'en-US': 'The service stopped while the job was in flight.',
  'pt-BR': 'O serviço parou enquanto trabalhava no arquivo.',
} as const
const unfinished = {
  'en-US': 'The job could not be brought to its end.',
  'pt-BR': 'O trabalho não pôde ser levado ao fim.',
} as const
const takenOver = {
  'en-US': 'The instance that had the job gave no sign of life any more.',
  'pt-BR': 'A instância que tinha o trabalho não deu mais sinal de vida.',
} as const

type Both = Pick<Sentence, 'en-US' | 'pt-BR'>

/** Whether the key was used decides what a person checks before a retry. */
const notAsked = (why: Both): Sentence => ({
  alone: true,
  'en-US': `${why['en-US']} The key had not been asked to sign. The input file was left in place.`,
  'pt-BR': `${why['pt-BR']} A chave ainda não tinha sido usada. O arquivo de entrada ficou no lugar.`,
})

const asked = (why: Both): Sentence => ({
  alone: true,
  'en-US': `${why['en-US']} The key had been asked to sign at {at}: a signature may have been made, but none was put out. The input file was left in place.`,
  'pt-BR': `${why['pt-BR']} A chave foi usada em {at}: uma assinatura pode ter sido feita, mas nenhuma foi entregue. O arquivo de entrada ficou no lugar.`,
})

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
  'copy-not-kept': {
    'en-US': 'The copy that people decide about could not be kept ({errno}).',
    'pt-BR': 'A cópia sobre a qual se decide não pôde ser guardada ({errno}).',
  },
  'copy-changed': {
    'en-US': 'The staged copy is not what was staged.',
    'pt-BR': 'A cópia de trabalho não é mais a que foi feita.',
  },
  'recipients-missing': {
    'en-US': 'Neither the profile nor the host names a certificate to encrypt to.',
    'pt-BR': 'Nem o perfil nem o serviço indica um certificado para o qual criptografar.',
  },
  'recipients-unreadable': {
    'en-US': 'The certificates of the profile to encrypt to cannot be read.',
    'pt-BR': 'Os certificados do perfil para os quais criptografar não podem ser lidos.',
  },
  'recipient-expired': {
    'en-US': 'The certificate of {holder} to encrypt to expired on {notAfter}.',
    'pt-BR': 'O certificado de {holder}, para o qual criptografar, expirou em {notAfter}.',
  },
  'output-not-written': {
    'en-US': 'The output could not be written ({errno}).',
    'pt-BR': 'A saída não pôde ser gravada ({errno}).',
  },
  'output-not-placed': {
    'en-US': 'The output could not be put into its folder ({errno}).',
    'pt-BR': 'A saída não pôde ser posta na pasta dela ({errno}).',
  },
  'output-folder-unwritable': {
    'en-US': 'The output folder cannot be written ({errno}).',
    'pt-BR': 'A pasta de saída não pode ser gravada ({errno}).',
  },
  'output-folder-apart': {
    'en-US': '{path} cannot be reached by a rename.',
    'pt-BR': '{path} não pode ser alcançada por uma mudança de nome.',
  },
  'copy-not-placed': {
    'en-US': 'The file could not be put into error/ ({errno}).',
    'pt-BR': 'O arquivo não pôde ser posto em error/ ({errno}).',
  },
  'folder-not-made': {
    'en-US': 'A folder could not be made ({errno}).',
    'pt-BR': 'Uma pasta não pôde ser criada ({errno}).',
  },
  'input-unreadable': {
    'en-US': '{path} could not be read ({errno}).',
    'pt-BR': '{path} não pôde ser lido ({errno}).',
  },
  'input-not-a-file': { 'en-US': '{path} is not a regular file.', 'pt-BR': '{path} não é um arquivo comum.' },
  'name-not-a-name': { 'en-US': 'The file name is not a name.', 'pt-BR': 'O nome do arquivo não é um nome.' },
  'output-exists': { 'en-US': '{path}.', 'pt-BR': '{path}.' },
  'interrupted-before-key': notAsked(stopped),
  'interrupted-after-key': asked(stopped),
  'unfinished-before-key': notAsked(unfinished),
  'unfinished-after-key': asked(unfinished),
  'taken-over-before-key': notAsked(takenOver),
  'taken-over-after-key': asked(takenOver),
  'signature-refused': {
    'en-US': 'The validation found: {problems}',
    'pt-BR': 'A validação encontrou: {problems}',
  },
  'key-missing': {
    'en-US': 'The profile has no certificate.',
    'pt-BR': 'O perfil não tem certificado.',
  },
  'key-unavailable': {
    'en-US': 'The key of the profile cannot be opened.',
    'pt-BR': 'A chave do perfil não pode ser aberta.',
  },
  'key-opening': { 'en-US': 'The key is being opened.', 'pt-BR': 'A chave está sendo aberta.' },
  'key-unexpected': {
    'en-US': 'The key could not be opened; the log says more.',
    'pt-BR': 'A chave não pôde ser aberta; o log diz mais.',
  },
  'key-file-missing': { 'en-US': 'There is no file {path}.', 'pt-BR': 'Não há o arquivo {path}.' },
  'key-file-unreadable': {
    'en-US': 'The file {path} cannot be read ({errno}).',
    'pt-BR': 'O arquivo {path} não pode ser lido ({errno}).',
  },
  'key-file-none': { 'en-US': 'The profile has no PKCS#12 file.', 'pt-BR': 'O perfil não tem arquivo PKCS#12.' },
  'key-file-empty': { 'en-US': 'The PKCS#12 file is empty.', 'pt-BR': 'O arquivo PKCS#12 está vazio.' },
  'key-thumbprint': {
    'en-US': 'The token has no key whose certificate has the thumbprint {thumbprint}.',
    'pt-BR': 'O token não tem chave cujo certificado tenha a impressão digital {thumbprint}.',
  },
  'key-signs-wrong': {
    'en-US': 'The key made a signature that does not verify.',
    'pt-BR': 'A chave fez uma assinatura que não confere.',
  },
  'certificate-expired-on': {
    'en-US': 'The certificate expired on {notAfter}.',
    'pt-BR': 'O certificado expirou em {notAfter}.',
  },
  'certificate-valid-from': {
    'en-US': 'The certificate is valid from {notBefore} on.',
    'pt-BR': 'O certificado vale a partir de {notBefore}.',
  },
  'token-unavailable': {
    'en-US': 'The token does not answer or is not there.',
    'pt-BR': 'O token não responde ou não está conectado.',
  },
  'pin-refused': {
    'en-US': 'The token does not accept the PIN. It is not tried again until somebody says so.',
    'pt-BR': 'O token não aceita o PIN. Ele não será tentado de novo até que alguém mande.',
  },
  'certificate-expired': {
    'en-US': 'The certificate has expired.',
    'pt-BR': 'O certificado expirou.',
  },
  'certificate-not-yet-valid': {
    'en-US': 'The validity of the certificate has not begun.',
    'pt-BR': 'A validade do certificado ainda não começou.',
  },
  'certificate-revoked': {
    'en-US': 'The certificate was revoked.',
    'pt-BR': 'O certificado foi revogado.',
  },
  'certificate-suspended': {
    'en-US': 'The certificate is suspended.',
    'pt-BR': 'O certificado está suspenso.',
  },
  'certificate-refused': {
    'en-US': 'The certificate is not accepted for signing.',
    'pt-BR': 'O certificado não é aceito para assinar.',
  },
  'revocation-unanswered': {
    'en-US': 'Nobody answers whether the certificate is revoked.',
    'pt-BR': 'Ninguém responde se o certificado está revogado.',
  },
  'recipients-unusable': {
    'en-US': 'A certificate to encrypt to is missing or has expired.',
    'pt-BR': 'Um certificado para o qual criptografar falta ou expirou.',
  },
  'timestamp-unavailable': {
    'en-US': 'The timestamp authority gives no timestamp.',
    'pt-BR': 'A autoridade de carimbo do tempo não fornece carimbos.',
  },
  'input-unavailable': {
    'en-US': 'The input folder cannot be used.',
    'pt-BR': 'A pasta de entrada não pode ser usada.',
  },
  'output-unavailable': {
    'en-US': 'The output folder cannot be used.',
    'pt-BR': 'A pasta de saída não pode ser usada.',
  },
  'output-full': { 'en-US': 'The output folder is full.', 'pt-BR': 'A pasta de saída está cheia.' },
  'folder-missing': { 'en-US': 'The folder does not exist.', 'pt-BR': 'A pasta não existe.' },
  'folder-unreadable': {
    'en-US': 'The folder cannot be read ({errno}).',
    'pt-BR': 'A pasta não pode ser lida ({errno}).',
  },
  'folder-not-writable': {
    'en-US': 'The service cannot write to the folder ({errno}), so that it could not remove what it signs.',
    'pt-BR': 'O serviço não pode gravar na pasta ({errno}); não conseguiria remover o que assina.',
  },
  'input-stuck': {
    'en-US': 'The file {file} was signed and cannot be removed: {why}.',
    'pt-BR': 'O arquivo {file} foi assinado e não pode ser removido: {why}.',
  },
  'folder-gone': { 'en-US': '{path} does not exist.', 'pt-BR': '{path} não existe.' },
  'path-relative': { 'en-US': 'must be an absolute path.', 'pt-BR': 'precisa ser um caminho absoluto.' },
  'path-too-long': {
    'en-US': 'must have at most {limit} characters.',
    'pt-BR': 'pode ter no máximo {limit} caracteres.',
  },
  'path-not-a-folder': { 'en-US': '{path} is not a folder.', 'pt-BR': '{path} não é uma pasta.' },
  'path-not-allowed': {
    'en-US': '{path} is not readable and writable for this service ({errno}).',
    'pt-BR': 'Este serviço não pode ler e gravar em {path} ({errno}).',
  },
  'path-unusable': {
    'en-US': '{path} cannot be used as a folder ({errno}).',
    'pt-BR': '{path} não pode ser usado como pasta ({errno}).',
  },
  'folders-same': {
    'en-US': '{what} ({path}) is also {other} ({otherPath}).',
    'pt-BR': 'A pasta {path} já está em uso: {otherPath}.',
  },
  'folders-inside': {
    'en-US': '{what} ({path}) lies inside {other} ({otherPath}).',
    'pt-BR': 'A pasta {path} fica dentro de uma que já está em uso: {otherPath}.',
  },
  'folders-contain': {
    'en-US': '{what} ({path}) contains {other} ({otherPath}).',
    'pt-BR': 'A pasta {path} contém uma que já está em uso: {otherPath}.',
  },
  'folders-one': {
    'en-US': '{path} is {other} ({otherPath}) by another name.',
    'pt-BR': '{path} é, com outro nome, uma pasta que já está em uso: {otherPath}.',
  },
  'folder-unusable': {
    'en-US': '{path} cannot be read and written ({errno}).',
    'pt-BR': '{path} não pode ser lida e gravada ({errno}).',
  },
  'folder-full': {
    'en-US': '{path} has no room: {needed} bytes are needed.',
    'pt-BR': 'Não há espaço em {path}: são necessários {needed} bytes.',
  },
  'folder-other': {
    'en-US':
      '{path} is there, but neither its hidden file nor any of the files taken from it is: a share that is not mounted?',
    'pt-BR':
      '{path} existe, mas nem o arquivo oculto dela nem os arquivos aceitos estão lá: um compartilhamento não montado?',
  },
  'database-full': { 'en-US': 'The database has no room.', 'pt-BR': 'O banco de dados está sem espaço.' },
  'database-unwritable': {
    'en-US': 'The database cannot be written.',
    'pt-BR': 'Não é possível gravar no banco de dados.',
  },
  'work-folders-full': {
    'en-US': 'The work folders have no room.',
    'pt-BR': 'As pastas de trabalho estão sem espaço.',
  },
  'work-folders-unusable': {
    'en-US': 'The work folders cannot be used.',
    'pt-BR': 'As pastas de trabalho não podem ser usadas.',
  },
  unexpected: {
    'en-US': 'An unexpected error occurred; the log of the service has it.',
    'pt-BR': 'Ocorreu um erro inesperado; ele está no log do serviço.',
  },
} as const satisfies Readonly<Record<string, Sentence>>

export type DetailKey = keyof typeof detailTexts

/** Ends the first finding of a file with several. */
export const moreTexts = { 'en-US': 'And {more} more.', 'pt-BR': 'E mais {more}.' } as const
