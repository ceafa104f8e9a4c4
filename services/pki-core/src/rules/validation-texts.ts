import type { ValidationItemType } from '../contract/models.ts'
import type { Culture } from './cultures.ts'

/** What a passed check says; the wire has one type for all of them. */
export type PassedCheck =
  | 'possession'
  | 'validity'
  | 'signature'
  | 'revocation'
  | 'root'
  | 'content'
  | 'signer'
  | 'signingCertificate'

type Texts = Readonly<Record<Exclude<ValidationItemType, 'Success'> | PassedCheck, string>>

const english: Texts = {
  possession: 'The signature was made with the key of the certificate',
  validity: 'The certificate is within its validity period',
  signature: 'The certificate was signed by its issuer',
  revocation: 'The certificate is not revoked',
  root: 'The certificate is a trusted root',
  CertificateNotYetValid: 'The certificate is not valid yet',
  CertificateExpired: 'The certificate has expired',
  CertificateRevoked: 'The certificate was revoked',
  CertificateIssuerNotFound: 'The issuer of the certificate was not found',
  CertificateRevocationStatusUnknown: 'The revocation status of the certificate could not be determined',
  CertificateChainRootNotTrusted: 'The root of the certificate is not trusted',
  InvalidCertificateSignature: 'The certificate was not signed by the issuer it names',
  DecodeError: 'The certificate could not be decoded',
  SignatureAlgorithmValidationFailed: 'The signature was not made with the key of the certificate',
  InvalidKeyUsage: 'The certificate may not be used for this purpose',
  UnauthorizedIssuer: 'The issuer of the certificate is not an authority',
  CertificateIssuerValid: 'The issuer of the certificate is valid',
  CertificateIssuerInvalid: 'The issuer of the certificate is not valid',
  CertificateValidationFailed: 'The certificate failed validation',
  InvalidCertificationPathLen: 'There are more authorities than the issuer allows',
  AlgorithmNotAllowed: 'The algorithm or the key of the certificate is not accepted',
  content: 'The signed content has not been changed',
  signer: 'The signature was made with the key of its certificate',
  signingCertificate: 'The certificate of the signer is valid',
  MessageDigestMismatch: 'The signed content is missing or has been changed',
  SigningCertificateNotFound: 'The certificate of the signer was not found',
  SigningCertificateDigestMismatch: 'The certificate is not the one that was signed',
  SignatureVulnerableToSignerSubstitution: 'The signature does not protect the certificate of the signer',
  SigningTimeOutOfCertificateValidity: 'The signing time is missing or not plausible',
  SignaturePolicyMismatch: 'The signature does not fulfil its policy',
  UnacceptableSignaturePolicy: 'The signature policy is not known or not in force',
  InvalidSignatureTimestamp: 'A timestamp of the signature is not valid',
  XmlDSigCoreValidationFailed: 'The XML signature is not valid',
  RequiredSignedAttributeMissing: 'The structure of the signature is not right',
}

const portuguese: Texts = {
  possession: 'A assinatura foi feita com a chave do certificado',
  validity: 'O certificado está dentro do prazo de validade',
  signature: 'O certificado foi assinado pelo seu emissor',
  revocation: 'O certificado não está revogado',
  root: 'O certificado é uma raiz confiável',
  CertificateNotYetValid: 'O certificado ainda não é válido',
  CertificateExpired: 'O certificado está expirado',
  CertificateRevoked: 'O certificado foi revogado',
  CertificateIssuerNotFound: 'O emissor do certificado não foi encontrado',
  CertificateRevocationStatusUnknown: 'Não foi possível determinar se o certificado está revogado',
  CertificateChainRootNotTrusted: 'A raiz do certificado não é confiável',
  InvalidCertificateSignature: 'O certificado não foi assinado pelo emissor que indica',
  DecodeError: 'O certificado não pôde ser decodificado',
  SignatureAlgorithmValidationFailed: 'A assinatura não foi feita com a chave do certificado',
  InvalidKeyUsage: 'O certificado não pode ser usado para esta finalidade',
  UnauthorizedIssuer: 'O emissor do certificado não é uma autoridade',
  CertificateIssuerValid: 'O emissor do certificado é válido',
  CertificateIssuerInvalid: 'O emissor do certificado não é válido',
  CertificateValidationFailed: 'O certificado não passou na validação',
  InvalidCertificationPathLen: 'Há mais autoridades do que o emissor permite',
  AlgorithmNotAllowed: 'O algoritmo ou a chave do certificado não é aceito',
  content: 'O conteúdo assinado não foi alterado',
  signer: 'A assinatura foi feita com a chave do seu certificado',
  signingCertificate: 'O certificado do signatário é válido',
  MessageDigestMismatch: 'O conteúdo assinado falta ou foi alterado',
  SigningCertificateNotFound: 'O certificado do signatário não foi encontrado',
  SigningCertificateDigestMismatch: 'O certificado não é o que foi assinado',
  SignatureVulnerableToSignerSubstitution: 'A assinatura não protege o certificado do signatário',
  SigningTimeOutOfCertificateValidity: 'A hora da assinatura falta ou não é plausível',
  SignaturePolicyMismatch: 'A assinatura não cumpre a sua política',
  UnacceptableSignaturePolicy: 'A política de assinatura é desconhecida ou não está em vigor',
  InvalidSignatureTimestamp: 'Um carimbo do tempo da assinatura não é válido',
  XmlDSigCoreValidationFailed: 'A assinatura XML não é válida',
  RequiredSignedAttributeMissing: 'A estrutura da assinatura não está correta',
}

const spanish: Texts = {
  possession: 'La firma fue hecha con la clave del certificado',
  validity: 'El certificado está dentro de su período de validez',
  signature: 'El certificado fue firmado por su emisor',
  revocation: 'El certificado no está revocado',
  root: 'El certificado es una raíz de confianza',
  CertificateNotYetValid: 'El certificado todavía no es válido',
  CertificateExpired: 'El certificado está vencido',
  CertificateRevoked: 'El certificado fue revocado',
  CertificateIssuerNotFound: 'No se encontró el emisor del certificado',
  CertificateRevocationStatusUnknown: 'No se pudo determinar si el certificado está revocado',
  CertificateChainRootNotTrusted: 'La raíz del certificado no es de confianza',
  InvalidCertificateSignature: 'El certificado no fue firmado por el emisor que indica',
  DecodeError: 'No se pudo decodificar el certificado',
  SignatureAlgorithmValidationFailed: 'La firma no fue hecha con la clave del certificado',
  InvalidKeyUsage: 'El certificado no puede usarse para esta finalidad',
  UnauthorizedIssuer: 'El emisor del certificado no es una autoridad',
  CertificateIssuerValid: 'El emisor del certificado es válido',
  CertificateIssuerInvalid: 'El emisor del certificado no es válido',
  CertificateValidationFailed: 'El certificado no superó la validación',
  InvalidCertificationPathLen: 'Hay más autoridades de las que permite el emisor',
  AlgorithmNotAllowed: 'El algoritmo o la clave del certificado no se acepta',
  content: 'El contenido firmado no ha sido alterado',
  signer: 'La firma fue hecha con la clave de su certificado',
  signingCertificate: 'El certificado del firmante es válido',
  MessageDigestMismatch: 'El contenido firmado falta o ha sido alterado',
  SigningCertificateNotFound: 'No se encontró el certificado del firmante',
  SigningCertificateDigestMismatch: 'El certificado no es el que fue firmado',
  SignatureVulnerableToSignerSubstitution: 'La firma no protege el certificado del firmante',
  SigningTimeOutOfCertificateValidity: 'La hora de la firma falta o no es plausible',
  SignaturePolicyMismatch: 'La firma no cumple su política',
  UnacceptableSignaturePolicy: 'La política de firma es desconocida o no está vigente',
  InvalidSignatureTimestamp: 'Un sello de tiempo de la firma no es válido',
  XmlDSigCoreValidationFailed: 'La firma XML no es válida',
  RequiredSignedAttributeMissing: 'La estructura de la firma no es correcta',
}

/** Messages of validation results are localized; messages of errors are not (spec 1 C, Errors). */
export const validationTexts: Readonly<Record<Culture, Texts>> = {
  'en-US': english,
  'pt-BR': portuguese,
  'es-ES': spanish,
}
