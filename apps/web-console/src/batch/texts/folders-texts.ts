import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Folders',
  lead: 'Files that arrive in these folders become jobs. A rescan also takes up files whose last job failed or was canceled.',
  rescan: 'Rescan',
  rescanOf: 'Rescan {{name}}',
  rescanAll: 'Rescan all',
  rescanned_one: 'The rescan took up {{count}} file.',
  rescanned_other: 'The rescan took up {{count}} files.',
  resultTitle: 'What the rescan found',
  takenFiles_one: '{{count}} file taken up',
  takenFiles_other: '{{count}} files taken up',
  folder: 'Folder',
  counts: {
    scanned: 'Seen',
    enqueued: 'Taken up',
    alreadyActive: 'Already active',
    alreadyProcessed: 'Already signed',
    ignored: 'Ignored',
    errors: 'Errors',
  },
  none: 'No folder is watched',
  noneText: 'Name folders under Storage:Inputs in the configuration and restart the service.',
  profile: 'Profile',
  format: 'Format',
  waiting: 'Files waiting',
  processed: 'Taken up so far',
  lastEnqueued: 'Last taken up',
  never: 'never',
  lastError: 'Last error:',
  status: {
    Running: 'Watching',
    Stopped: 'Stopped',
    Unassigned: 'Unassigned',
    Missing: 'Missing',
  },
  explained: {
    Running: 'New files are taken up as soon as they stop changing.',
    Stopped: 'Too many failures in a row. Remove the cause and restart the service; the other folders go on.',
    Unassigned: 'No profile chose this folder, so its files wait untouched. Choose it in a profile.',
    Missing: 'The folder does not exist or cannot be read. Create it or mend its permissions.',
  },
} as const

/** The texts of the folders. */
export const foldersTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Pastas',
    lead: 'Arquivos que chegam a estas pastas viram jobs. Uma nova varredura também retoma arquivos cujo último job falhou ou foi cancelado.',
    rescan: 'Varrer de novo',
    rescanOf: 'Varrer {{name}} de novo',
    rescanAll: 'Varrer todas',
    rescanned_one: 'A varredura pegou {{count}} arquivo.',
    rescanned_other: 'A varredura pegou {{count}} arquivos.',
    resultTitle: 'O que a varredura encontrou',
    takenFiles_one: '{{count}} arquivo pego',
    takenFiles_other: '{{count}} arquivos pegos',
    folder: 'Pasta',
    counts: {
      scanned: 'Vistos',
      enqueued: 'Pegos',
      alreadyActive: 'Já ativos',
      alreadyProcessed: 'Já assinados',
      ignored: 'Ignorados',
      errors: 'Erros',
    },
    none: 'Nenhuma pasta é monitorada',
    noneText: 'Defina pastas em Storage:Inputs na configuração e reinicie o serviço.',
    profile: 'Perfil',
    format: 'Formato',
    waiting: 'Arquivos aguardando',
    processed: 'Pegos até agora',
    lastEnqueued: 'Último pego',
    never: 'nunca',
    lastError: 'Último erro:',
    status: {
      Running: 'Monitorando',
      Stopped: 'Parada',
      Unassigned: 'Sem perfil',
      Missing: 'Ausente',
    },
    explained: {
      Running: 'Arquivos novos são pegos assim que param de mudar.',
      Stopped: 'Falhas demais em sequência. Resolva a causa e reinicie o serviço; as outras pastas continuam.',
      Unassigned: 'Nenhum perfil escolheu esta pasta; os arquivos aguardam intactos. Escolha-a em um perfil.',
      Missing: 'A pasta não existe ou não pode ser lida. Crie-a ou corrija as permissões.',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'batch-folders': typeof english
  }
}
