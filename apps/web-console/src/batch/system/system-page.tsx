import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip } from '../../shared/parts/chip.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Facts } from '../../shared/parts/facts.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { TechnicalDetail } from '../../shared/parts/technical-detail.tsx'
import { pipelineQuery, systemQuery } from '../api/queries.ts'
import type { Readiness, ReadinessCheck, SystemView } from '../api/types.ts'
import { ApproversPanel } from './approvers-panel.tsx'
import { BackupPanel } from './backup-panel.tsx'
import { DangerPanel } from './danger-panel.tsx'
import { PipelineChip, PipelineSwitch } from './pipeline-switch.tsx'
import { RetentionPanel } from './retention-panel.tsx'
import { SessionsPanels } from './sessions-panels.tsx'
import classes from './system.module.css'

/** The service itself: readiness, environment and maintenance. */
export function SystemPage() {
  const { t } = useTranslation('batch-system')
  const system = useQuery(systemQuery)
  return (
    <>
      <PageHead title={t('title')} />
      <Queried query={system} lines={8}>
        {(data) => (
          <>
            <ReadinessPanel readiness={data.readiness} />
            <div className={classes.pair}>
              <PipelinePanel queueLength={data.queueLength} />
              <RetentionPanel settings={data.settings} />
            </div>
            <ApproversPanel />
            <SessionsPanels />
            <BackupPanel />
            <BuildPanel system={data} />
            <PathsPanel system={data} />
            <TrustPanel anchors={data.trustAnchors} />
            <LinksPanel system={data} />
            <SettingsPanel settings={data.settings} />
            <DangerPanel />
          </>
        )}
      </Queried>
    </>
  )
}

function ReadinessPanel({ readiness }: { readiness: Readiness }) {
  const { t } = useTranslation('batch-system')
  const columns: Column<ReadinessCheck>[] = [
    { key: 'name', title: t('readiness.check'), isHeader: true, cell: ({ name }) => <code>{name}</code> },
    { key: 'state', title: t('readiness.state'), cell: ({ ok }) => <CheckChip ok={ok} /> },
    {
      key: 'detail',
      title: t('readiness.detail'),
      cell: ({ told, detail }) => (
        <>
          {told && <p>{told}</p>}
          {detail ? <TechnicalDetail>{detail}</TechnicalDetail> : !told && '–'}
        </>
      ),
    },
  ]
  return (
    <Panel
      title={t('readiness.title')}
      actions={
        <Chip icon={readiness.ready ? CircleCheck : CircleX} tone={readiness.ready ? 'good' : 'bad'}>
          {t(readiness.ready ? 'readiness.ready' : 'readiness.notReady')}
        </Chip>
      }
    >
      <DataTable caption={t('readiness.title')} columns={columns} rows={readiness.checks} rowKey={({ name }) => name} />
    </Panel>
  )
}

function CheckChip({ ok }: { ok: boolean }) {
  const { t } = useTranslation('batch-system')
  return (
    <Chip icon={ok ? CircleCheck : CircleX} tone={ok ? 'good' : 'bad'}>
      {t(ok ? 'readiness.ok' : 'readiness.notOk')}
    </Chip>
  )
}

function PipelinePanel({ queueLength }: { queueLength: number }) {
  const { t } = useTranslation('batch-system')
  const { dateAndTime, count } = useFormats()
  const pipeline = useQuery(pipelineQuery)
  return (
    <Panel title={t('pipeline.title')} actions={pipeline.data && <PipelineSwitch paused={pipeline.data.paused} />}>
      <Queried query={pipeline} lines={3}>
        {(state) => (
          <Facts
            dense
            rows={[
              [t('pipeline.state'), <PipelineChip key="state" paused={state.paused} />],
              [t('pipeline.queued'), count(queueLength)],
              [t('pipeline.inFlight'), `${count(state.jobsInFlight)} / ${count(state.maxConcurrency)}`],
              [t('pipeline.since'), state.paused && state.pausedAtUtc ? dateAndTime(state.pausedAtUtc) : undefined],
              [t('pipeline.by'), state.paused ? state.pausedBy : undefined],
              [t('pipeline.reason'), state.paused ? state.reason : undefined],
              [
                t('pipeline.resumed'),
                !state.paused && state.resumedAtUtc ? dateAndTime(state.resumedAtUtc) : undefined,
              ],
            ]}
          />
        )}
      </Queried>
    </Panel>
  )
}

function BuildPanel({ system }: { system: SystemView }) {
  const { t } = useTranslation('batch-system')
  const { dateAndTime, duration } = useFormats()
  const { lastShutdown } = system
  return (
    <Panel title={t('build.title')}>
      <Facts
        rows={[
          [t('build.version'), system.version],
          [t('build.environment'), system.environment],
          [t('build.store'), system.store],
          [t('build.started'), dateAndTime(system.startedAt)],
          [t('build.uptime'), duration(system.uptimeSeconds * 1000)],
          [
            t('build.lastShutdown'),
            lastShutdown
              ? t(lastShutdown.clean ? 'build.clean' : 'build.unclean', {
                  at: dateAndTime(lastShutdown.stoppedAt ?? lastShutdown.startedAt),
                })
              : t('build.firstStart'),
          ],
        ]}
      />
    </Panel>
  )
}

function PathsPanel({ system: { paths } }: { system: SystemView }) {
  const { t } = useTranslation('batch-system')
  const path = (value: string | null) => value && <code>{value}</code>
  return (
    <Panel title={t('paths.title')}>
      <Facts
        rows={[
          [t('paths.dataFolder'), path(paths.dataFolder)],
          [t('paths.storageRoot'), path(paths.storageRoot)],
          [t('paths.database'), path(paths.database)],
          [t('paths.masterKeyFile'), path(paths.masterKeyFile)],
          [t('paths.backups'), path(paths.backups)],
          ...paths.inputs.map(({ name, path: folder }) => [t('paths.input', { name }), path(folder)] as const),
        ]}
      />
    </Panel>
  )
}

function TrustPanel({ anchors }: { anchors: SystemView['trustAnchors'] }) {
  const { t } = useTranslation('batch-system')
  const { dateAndMinute } = useFormats()
  return (
    <Panel title={t('trust.title')} lead={t('trust.lead')}>
      <DataTable
        caption={t('trust.title')}
        columns={[
          { key: 'subject', title: t('trust.subject'), isHeader: true, cell: ({ subject }) => subject },
          { key: 'until', title: t('trust.until'), cell: ({ notAfter }) => dateAndMinute(notAfter) },
        ]}
        rows={anchors}
        rowKey={({ subject, notAfter }) => `${subject}${notAfter}`}
      />
    </Panel>
  )
}

/** Links to machine-readable endpoints; the API reference only where it is served. */
function LinksPanel({ system: { environment, settings } }: { system: SystemView }) {
  const { t } = useTranslation('batch-system')
  const hasReference = environment === 'development' || isReferenceOn(settings)
  const links = [
    ['metrics', '/api/metrics'],
    ['readiness', '/api/ready/details'],
    ['health', '/api/health'],
    ...(hasReference ? ([['reference', '/scalar/v1']] as const) : []),
  ] as const
  return (
    <Panel title={t('links.title')}>
      <ul className={classes.links}>
        {links.map(([name, address]) => (
          <li key={name}>
            <a href={address}>{t(`links.${name}`)}</a> <code>{address}</code>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const isReferenceOn = (settings: unknown): boolean =>
  (settings as { Swagger?: { EnabledInProduction?: boolean } } | null)?.Swagger?.EnabledInProduction === true

function SettingsPanel({ settings }: { settings: unknown }) {
  const { t } = useTranslation('batch-system')
  return (
    <Panel title={t('settings.title')} lead={t('settings.lead')}>
      <details>
        <summary className={classes.summary}>{t('settings.show')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <pre className={classes.settings} tabIndex={0}>
          {JSON.stringify(settings, undefined, 2)}
        </pre>
      </details>
    </Panel>
  )
}
