import type { StepName } from './plans.ts'

/** error: the document is refused; undetermined: what is at hand does not tell; notice: for the reader only. */
export type ProblemSeverity = 'error' | 'undetermined' | 'notice'

interface ProblemText {
  readonly severity: ProblemSeverity
  readonly pt: string
  readonly en: string
}

const error = (pt: string, en: string): ProblemText => ({ severity: 'error', pt, en })
const undetermined = (pt: string, en: string): ProblemText => ({ severity: 'undetermined', pt, en })
const notice = (pt: string, en: string): ProblemText => ({ severity: 'notice', pt, en })

/** Everything the inspection of a document can find. Codes are stable; `{name}` is replaced by the detail of that name. */
export const documentProblems = {
  // The file
  'not-xml': error(
    'O arquivo não é um XML que possa ser lido: {reason}',
    'The file is not XML that can be read: {reason}',
  ),
  doctype: error(
    'O arquivo tem uma declaração de tipo de documento (DOCTYPE), que não é aceita.',
    'The file has a document type declaration (DOCTYPE), which is not accepted.',
  ),
  entity: error(
    'O arquivo usa uma entidade que o XML não define.',
    'The file uses an entity that XML does not define.',
  ),
  'not-utf8': error('O arquivo não está em UTF-8.', 'The file is not in UTF-8.'),
  'kind-unknown': error(
    'O elemento raiz {root} não é o de um documento acadêmico digital.',
    'The root element {root} is not that of a digital academic document.',
  ),
  'kind-unexpected': error(
    'O documento é de tipo {kind}; esperava-se {expected}.',
    'The document is of kind {kind}; {expected} was expected.',
  ),
  'layout-invalid': error(
    'O documento não segue o leiaute da sua versão ({count} problemas; o primeiro: {first})',
    'The document does not follow the layout of its version ({count} problems; the first: {first})',
  ),
  'version-unknown': error(
    'A versão {version} do leiaute não é conhecida.',
    'The version {version} of the layout is not known.',
  ),
  'version-not-in-force': error(
    'A versão {version} do leiaute não estava em vigor em {date}, a data de expedição.',
    'The version {version} of the layout was not in force on {date}, the date of expedition.',
  ),
  'date-missing': notice(
    'O documento não tem a data que decide a versão do leiaute.',
    'The document does not have the date that decides the version of its layout.',
  ),
  'not-production': notice(
    'O documento foi emitido no ambiente "{environment}" e não tem valor legal.',
    'The document was issued in the environment "{environment}" and has no legal value.',
  ),
  'institution-unexpected': error(
    'O documento é da instituição de CNPJ {found}; esperava-se {expected}.',
    'The document is of the institution with CNPJ {found}; {expected} was expected.',
  ),
  'degree-data-differs': error(
    'Os dados do diploma não são, byte a byte, os que foram enviados para registro.',
    'The data of the degree is not, byte by byte, what was sent for registration.',
  ),
  // Structure
  'node-missing': error(
    'Falta no documento o elemento a assinar ({node}).',
    'The document lacks the element to be signed ({node}).',
  ),
  'id-duplicate': error('Mais de um elemento tem o identificador {id}.', 'More than one element has the id {id}.'),
  'signature-wrapping': error(
    'Há dados em um lugar onde nenhuma assinatura os protege como parecem: {path}.',
    'There is data at a place where no signature protects what it seems to be: {path}.',
  ),
  'too-many-signatures': error(
    'O documento tem {count} assinaturas, mais que qualquer documento legítimo.',
    'The document has {count} signatures, more than any legitimate one.',
  ),
  // Which signatures there are
  'signature-missing': error(
    'Falta a assinatura da etapa {step}{who}.',
    'The signature of the step {step} is missing{who}.',
  ),
  'signature-surplus': error(
    'Há mais de uma assinatura da instituição em {path}.',
    'There is more than one signature of the institution in {path}.',
  ),
  'signature-misplaced': error(
    'Há uma assinatura em um lugar que o leiaute não prevê: {path}.',
    'There is a signature where the layout has none: {path}.',
  ),
  'signature-moved': error(
    'A assinatura está em {path}, mas foi feita sobre outro elemento: foi movida.',
    'The signature stands in {path}, but was made over another element: it was moved.',
  ),
  'signature-order': error(
    'As assinaturas não estão na ordem em que devem ser feitas.',
    'The signatures are not in the order in which they have to be made.',
  ),
  'signed-after-archive': error(
    'Algo foi assinado depois da assinatura de arquivamento, que encerra o documento.',
    'Something was signed after the archiving signature, which closes the document.',
  ),
  'archive-partial': error(
    'A assinatura de arquivamento não cobre as demais assinaturas.',
    'The archiving signature does not cover the other signatures.',
  ),
  'level-insufficient': error(
    'A assinatura é de nível {found}; a etapa exige {expected}.',
    'The signature is of level {found}; the step requires {expected}.',
  ),
  // Each signature
  'content-altered': error(
    'O conteúdo foi alterado depois de assinado.',
    'The content was altered after it was signed.',
  ),
  'document-reformatted': error(
    'O documento foi reformatado: há espaços ou quebras de linha entre os elementos que não havia quando foi assinado.',
    'The document was re-indented: there are blanks or line ends between elements that were not there when it was signed.',
  ),
  'signature-wrong': error(
    'A assinatura não foi feita com a chave do certificado, ou foi alterada.',
    'The signature was not made with the key of the certificate, or was altered.',
  ),
  'signature-malformed': error('A assinatura não pode ser lida: {reason}', 'The signature cannot be read: {reason}'),
  'reference-refused': error(
    'A assinatura se refere ao conteúdo de um modo que não é aceito.',
    'The signature refers to its content in a way that is not accepted.',
  ),
  'algorithm-weak': error(
    'A assinatura usa um algoritmo ou uma chave que já não é segura.',
    'The signature uses an algorithm or a key that is not safe any more.',
  ),
  'algorithm-unknown': undetermined(
    'A assinatura usa um algoritmo que não é conhecido aqui.',
    'The signature uses an algorithm that is not known here.',
  ),
  'policy-unmet': error(
    'A assinatura não cumpre a política que declara: {reason}',
    'The signature does not meet the policy it names: {reason}',
  ),
  'policy-unknown': undetermined(
    'A política da assinatura não é conhecida.',
    'The policy of the signature is not known.',
  ),
  'timestamp-invalid': error(
    'Um carimbo do tempo da assinatura não é válido.',
    'A timestamp of the signature is not valid.',
  ),
  'timestamp-untrusted': undetermined(
    'Um carimbo do tempo é de uma autoridade em que não se pode confiar agora.',
    'A timestamp is of an authority that cannot be trusted now.',
  ),
  'time-implausible': notice(
    'A hora declarada da assinatura não é plausível.',
    'The claimed time of the signature is not plausible.',
  ),
  // Who signed
  'certificate-kind': error(
    'A etapa não é assinada com um certificado deste tipo ({found}).',
    'The step is not signed with a certificate of this kind ({found}).',
  ),
  'cnpj-mismatch': error(
    'O certificado é do CNPJ {found}, e a instituição no documento tem o CNPJ {expected}.',
    'The certificate is of CNPJ {found}, and the institution in the document has CNPJ {expected}.',
  ),
  'person-not-listed': error(
    'O documento lista quem assina, e o CPF {cpf} não está na lista.',
    'The document lists who signs, and CPF {cpf} is not on the list.',
  ),
  'certificate-expired': error(
    'O certificado {subject} estava vencido quando assinou.',
    'The certificate {subject} had expired when it signed.',
  ),
  'certificate-not-yet-valid': error(
    'O certificado {subject} ainda não era válido quando assinou.',
    'The certificate {subject} was not valid yet when it signed.',
  ),
  'certificate-revoked': error(
    'O certificado {subject} estava revogado ou suspenso quando assinou.',
    'The certificate {subject} was revoked or on hold when it signed.',
  ),
  'certificate-untrusted': error(
    'O certificado {subject} não leva a uma raiz confiável.',
    'The certificate {subject} does not lead to a trusted root.',
  ),
  'certificate-unfit': error(
    'O certificado {subject} não serve para assinar documentos.',
    'The certificate {subject} is not made for signing documents.',
  ),
  'revocation-unknown': undetermined(
    'Não se sabe agora se o certificado {subject} foi revogado.',
    'It is not known now whether the certificate {subject} was revoked.',
  ),
  'certificate-in-software': notice(
    'A chave do certificado não está em hardware (tipo A3 ou superior).',
    'The key of the certificate is not in hardware (type A3 or better).',
  ),
} as const satisfies Record<string, ProblemText>

export type ProblemCode = keyof typeof documentProblems

/** One finding, with its sentence in both languages. */
export interface DocumentProblem {
  readonly code: ProblemCode
  readonly severity: ProblemSeverity
  readonly step?: StepName
  /** Id of the signature. */
  readonly signature?: string
  readonly details: Readonly<Record<string, string>>
  readonly text: { readonly pt: string; readonly en: string }
}

export interface ProblemPlace {
  readonly step?: StepName | undefined
  readonly signature?: string | undefined
}

export function problem(
  code: ProblemCode,
  details: Readonly<Record<string, string>> = {},
  { step, signature }: ProblemPlace = {},
): DocumentProblem {
  const { severity, pt, en } = documentProblems[code]
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_hole, name: string) => details[name] ?? '')
  return {
    code,
    severity,
    ...(step && { step }),
    ...(signature && { signature }),
    details,
    text: { pt: filled(pt), en: filled(en) },
  }
}
