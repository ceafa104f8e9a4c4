import { Outlet, useLocation } from '@tanstack/react-router'
import { Menu, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NoticesProvider } from '../parts/notices.tsx'
import { CustomerLogo } from './customer-logo.tsx'
import { LiveIndicator, LostBanner } from './live-indicator.tsx'
import { PageLinks } from './page-links.tsx'
import { PausedMark } from './paused-mark.tsx'
import classes from './shell.module.css'
import { Brand, Switches, Visitor } from './top-bar.tsx'
import { useFollowServer } from './use-follow-server.ts'

/** What stands around every page of a signed-in operator. */
export function Shell() {
  const { t } = useTranslation(['batch', 'shared'])
  useFollowServer()
  const [menuOpen, setMenuOpen] = useState(false)
  const path = useLocation({ select: ({ pathname }) => pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a menu that stays open would hide the page it led to
  useEffect(() => setMenuOpen(false), [path])
  const MenuIcon = menuOpen ? X : Menu
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        {t('shared:skipToContent')}
      </a>
      <header className={classes.bar}>
        <button
          type="button"
          className={classes.menuButton}
          aria-expanded={menuOpen}
          aria-controls="menu"
          aria-label={t('batch:nav.menu')}
          onClick={() => setMenuOpen(!menuOpen)}
        >
          <MenuIcon size={20} aria-hidden="true" />
        </button>
        <Brand />
        <CustomerLogo className={classes.logo!} />
        <div className={classes.barEnd}>
          <PausedMark />
          <LiveIndicator />
          <div className={classes.wideOnly}>
            <Switches />
          </div>
        </div>
      </header>
      <div id="menu" className={classes.side} data-open={menuOpen || undefined}>
        <PageLinks />
        <div className={classes.narrowOnly}>
          <Switches />
        </div>
        <Visitor />
      </div>
      <NoticesProvider>
        {(notice) => (
          <main id="content" className={classes.main} tabIndex={-1}>
            <LostBanner />
            {notice}
            <Outlet />
          </main>
        )}
      </NoticesProvider>
    </div>
  )
}
