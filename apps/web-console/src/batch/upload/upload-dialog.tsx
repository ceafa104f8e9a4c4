import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAnnouncer } from '../../shared/feedback/announcer.tsx'
import { Dialog, DialogButtons } from '../../shared/parts/dialog.tsx'
import { profilesQuery } from '../api/profiles.ts'
import { signatureFormats } from '../api/types.ts'
import { DropZone } from './drop-zone.tsx'
import type { UploadOptions } from './send-file.ts'
import classes from './upload.module.css'
import { UploadList } from './upload-list.tsx'
import { type Upload, useUploads } from './use-uploads.ts'

/** Takes files by drag and drop or from a file picker, and reports the result of each. */
export function UploadDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('batch-upload')
  const [options, setOptions] = useState<UploadOptions>({})
  const { uploads, running, start, stop, reset } = useUploads()
  const summary = useSummary(uploads, running)
  useAnnouncedOnce(summary, uploads.length > 0 && !running)
  useKeepPage()
  return (
    <Dialog title={t('title')} wide busy={running} onClose={onClose}>
      {uploads.length === 0 ? (
        <>
          <OptionFields options={options} onChange={setOptions} />
          <DropZone onFiles={(files) => void start(files, options)} />
        </>
      ) : (
        <>
          <p className={classes.summary}>{summary}</p>
          <UploadList uploads={uploads} onClose={onClose} />
          <DialogButtons>
            {running ? (
              <Button variant="default" onClick={stop}>
                {t('stop')}
              </Button>
            ) : (
              <>
                <Button variant="default" onClick={reset}>
                  {t('more')}
                </Button>
                <Button onClick={onClose}>{t('close')}</Button>
              </>
            )}
          </DialogButtons>
        </>
      )}
    </Dialog>
  )
}

function OptionFields({ options, onChange }: { options: UploadOptions; onChange: (options: UploadOptions) => void }) {
  const { t } = useTranslation(['batch-upload', 'batch'])
  const { data: profiles = [] } = useQuery(profilesQuery)
  const set = (name: keyof UploadOptions) => (value: string) => {
    const { [name]: _, ...rest } = options
    onChange(value === '' ? rest : { ...rest, [name]: value })
  }
  return (
    <div className={classes.options}>
      <NativeSelect
        label={t('profile')}
        value={options.profile ?? ''}
        onChange={(event) => set('profile')(event.currentTarget.value)}
        data={[
          { value: '', label: t('defaultProfile') },
          ...profiles
            .filter(({ name, enabled }) => enabled && name !== 'default')
            .map(({ name }) => ({ value: name, label: name })),
        ]}
      />
      <NativeSelect
        label={t('format')}
        value={options.format ?? ''}
        onChange={(event) => set('format')(event.currentTarget.value)}
        data={[
          { value: '', label: t('autoFormat') },
          ...signatureFormats.map((value) => ({ value, label: t(`batch:format.${value}`) })),
        ]}
      />
    </div>
  )
}

function useSummary(uploads: readonly Upload[], running: boolean): string {
  const { t } = useTranslation('batch-upload')
  const of = (kind: string) => uploads.filter(({ state }) => state.kind === kind).length
  const ended = of('accepted') + of('refused') + of('stopped')
  return running
    ? t('progress', { done: ended, all: uploads.length })
    : t('result', { accepted: of('accepted'), refused: of('refused'), stopped: of('stopped') })
}

/** The browser would open a file dropped beside the zone, replacing the page and its upload. */
function useKeepPage() {
  useEffect(() => {
    const keep = (event: Event) => event.preventDefault()
    for (const type of ['dragover', 'drop']) addEventListener(type, keep)
    return () => {
      for (const type of ['dragover', 'drop']) removeEventListener(type, keep)
    }
  }, [])
}

/** Announces the result to screen readers once; announcing each file's progress would be too much. */
function useAnnouncedOnce(summary: string, ended: boolean) {
  const announce = useAnnouncer()
  useEffect(() => {
    if (ended) announce(summary)
  }, [ended, summary, announce])
}
