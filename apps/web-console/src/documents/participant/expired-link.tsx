import { Button } from '@mantine/core'
import { Link2Off, Mail } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { useAttempt } from '../../shared/signing/use-attempt.ts'
import { type Access, renewLink } from '../api/participant.ts'

/** A link that has expired offers a new one, which goes to the address the organization knows. */
export function ExpiredLink({ access }: { access: Access }) {
  const { t } = useTranslation('documents-participant')
  const [sentTo, setSentTo] = useState<string>()
  const { busy, failure, attempt } = useAttempt()
  const send = () => attempt(async () => setSentTo((await renewLink(access)).sentTo))
  return (
    <PageState icon={Link2Off} title={t('expired.title')} tone="bad" isPage>
      {sentTo ? (
        <p role="status">{t('expired.sent', { to: sentTo })}</p>
      ) : (
        <>
          <p>{t('expired.text')}</p>
          {failure !== undefined && <ProblemNote error={failure} />}
          <Button loading={busy} leftSection={<Mail size={16} aria-hidden="true" />} onClick={() => void send()}>
            {t('expired.send')}
          </Button>
        </>
      )}
    </PageState>
  )
}
