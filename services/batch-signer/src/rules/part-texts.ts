// Parts of sentences that events share with the lines of a job's history.
import type { WaitReason } from '../contract/folders.ts'
import type { HoldReason } from './folder-place.ts'
import type { Both } from './history-texts.ts'
import type { JobStatus } from './job.ts'

/** Why a file of a folder is not taken; the log says it too. */
const waits = {
  'waits-open': {
    'en-US': 'somebody has it open for writing, or locked',
    'pt-BR': 'alguém o tem aberto para escrita, ou bloqueado',
  },
  'waits-settling': {
    'en-US': 'it must rest longer, because nobody can say whether it is still open',
    'pt-BR': 'ele precisa descansar mais, porque ninguém sabe dizer se ainda está aberto',
  },
  'waits-changing': {
    'en-US': 'a file kept changing and was given up',
    'pt-BR': 'ele não parou de mudar e se desistiu dele',
  },
  'waits-empty': { 'en-US': 'it is empty', 'pt-BR': 'ele está vazio' },
  'waits-no-ready-marker': {
    'en-US': 'the file that says it is complete is not there',
    'pt-BR': 'o arquivo que diz que ele está completo não existe',
  },
  'waits-name-not-utf8': {
    'en-US': 'a file has a name that is not UTF-8 and cannot be taken',
    'pt-BR': 'o nome dele não é UTF-8 e não pode ser aceito',
  },
  'waits-path-too-long': {
    'en-US': 'the path of a file is too long',
    'pt-BR': 'o caminho dele é longo demais',
  },
} as const satisfies Readonly<Record<`waits-${WaitReason}`, Both>>

/** Why files that lie in a folder are held. */
const places = {
  'folder-new': {
    'en-US': 'The folder is new to the database, which cannot know whether they were refused or canceled before.',
    'pt-BR': 'A pasta é nova para o banco de dados, que não sabe se eles foram recusados ou cancelados antes.',
  },
  'database-new': {
    'en-US': 'The database does not know the folder: it is new, or another one.',
    'pt-BR': 'O banco de dados não conhece a pasta: ele é novo, ou é outro.',
  },
  'database-older': {
    'en-US': 'The database is older than the folder: what was decided since is not in it.',
    'pt-BR': 'O banco de dados é mais antigo que a pasta: o que foi decidido desde então não está nele.',
  },
} as const satisfies Readonly<Record<HoldReason, Both>>

/** The states of a job. */
const states = {
  Queued: { 'en-US': 'Queued', 'pt-BR': 'na fila' },
  Processing: { 'en-US': 'Processing', 'pt-BR': 'assinando' },
  Verifying: { 'en-US': 'Verifying', 'pt-BR': 'verificando' },
  AwaitingApproval: { 'en-US': 'AwaitingApproval', 'pt-BR': 'aguardando aprovação' },
  AwaitingSigner: { 'en-US': 'AwaitingSigner', 'pt-BR': 'aguardando signatário' },
  Completed: { 'en-US': 'Completed', 'pt-BR': 'concluído' },
  Failed: { 'en-US': 'Failed', 'pt-BR': 'com falha' },
  Canceled: { 'en-US': 'Canceled', 'pt-BR': 'cancelado' },
} as const satisfies Readonly<Record<JobStatus, Both>>

/** Why an input stays, was rewritten or cannot be removed. */
const inputs = {
  'length-changed': { 'en-US': 'its length changed', 'pt-BR': 'o tamanho dele mudou' },
  'content-changed': { 'en-US': 'its content changed', 'pt-BR': 'o conteúdo dele mudou' },
  'changed-meanwhile': {
    'en-US': 'it changed while it was compared',
    'pt-BR': 'ele mudou enquanto era comparado',
  },
  'open-elsewhere': {
    'en-US': 'another program has it open for writing, or holds a lease or a lock on it',
    'pt-BR': 'outro programa o tem aberto para escrita, ou mantém um bloqueio sobre ele',
  },
  'folder-unreachable': { 'en-US': 'its folder cannot be reached', 'pt-BR': 'a pasta dele não pode ser alcançada' },
  'system-error': { 'en-US': '{error}', 'pt-BR': '{error}' },
  'rewritten-since': { 'en-US': 'rewritten since it was signed', 'pt-BR': 'regravado depois de assinado' },
  'named-by-unfinished': {
    'en-US': 'another unfinished job names it',
    'pt-BR': 'outro trabalho não terminado o cita',
  },
  'named-by-another': { 'en-US': 'another job names it', 'pt-BR': 'outro trabalho o cita' },
  'not-signed': { 'en-US': 'not signed, stays refused', 'pt-BR': 'não foi assinado, continua recusado' },
  'not-staged': { 'en-US': 'not staged by this job', 'pt-BR': 'não foi copiado por este trabalho' },
} as const satisfies Readonly<Record<string, Both>>

/** The files of a deleted job. */
const files = {
  'file-output': { 'en-US': 'output/{name}', 'pt-BR': 'output/{name}' },
  'file-input': { 'en-US': 'input {path}', 'pt-BR': 'entrada {path}' },
  'file-processing': { 'en-US': 'processing/{job}', 'pt-BR': 'processing/{job}' },
  'file-error': { 'en-US': 'error/{job}', 'pt-BR': 'error/{job}' },
  'kept-output': {
    'en-US': 'output/{name}: written by another job',
    'pt-BR': 'output/{name}: gravado por outro trabalho',
  },
  'kept-input': { 'en-US': 'input {path}: {why}', 'pt-BR': 'entrada {path}: {why}' },
  'kept-error': {
    'en-US': 'error/{job}: the last copy of a file that was not signed',
    'pt-BR': 'error/{job}: a última cópia de um arquivo que não foi assinado',
  },
  removed: { 'en-US': 'Removed: {files}.', 'pt-BR': 'Removidos: {files}.' },
  kept: { 'en-US': 'Kept: {files}.', 'pt-BR': 'Mantidos: {files}.' },
} as const satisfies Readonly<Record<string, Both>>

export const partTexts = { ...waits, ...places, ...states, ...inputs, ...files } as const
