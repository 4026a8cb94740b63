// The frame of every view: navigation, theme, key.

import type { ReactElement, ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { hrefOf } from './router.ts';
import { askForKey, SERVER, useSession } from './session.ts';
import { useTheme } from './theme.ts';

/** A view that the navigation leads to. */
export interface View {
  readonly name: string;
  readonly label: string;
  readonly icon: IconName;
}

interface ShellProps {
  readonly views: readonly View[];
  readonly current: string;
  readonly children: ReactNode;
}

export function Shell({ views, current, children }: ShellProps): ReactElement {
  const { key } = useSession();
  const { theme, next, toggle } = useTheme();
  return (
    <div className="shell">
      <button type="button" className="skip" onClick={focusMain}>
        Skip to the content
      </button>
      <header className="side">
        <a className="brand" href={hrefOf(['list'])}>
          <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
            <rect width="32" height="32" rx="8" className="brand-box" />
            <path d="M9 10h14M9 16h14M9 22h9" className="brand-lines" />
          </svg>
          <span>Octavo</span>
        </a>
        <nav aria-label="Views">
          <ul>
            {views.map(({ name, label, icon }) => (
              <li key={name}>
                <a href={hrefOf([name])} aria-current={name === current ? 'page' : undefined}>
                  <Icon name={icon} />
                  <span>{label}</span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="side-end">
          <p className="host" title={SERVER}>
            {SERVER.replace(/^https?:\/\//, '')}
          </p>
          <button
            type="button"
            className="icon-button"
            aria-label={key === undefined ? 'Enter a key' : 'Change the key'}
            title={key === undefined ? 'No key' : 'A key is in use'}
            data-on={key !== undefined}
            onClick={() => askForKey('With another key the console shows what that key may see.')}
          >
            <Icon name="key" />
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={`Theme: ${theme}. Switch to ${next}`}
            title={`Theme: ${theme}`}
            onClick={toggle}
          >
            <Icon name={theme} />
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <KeyDialog />
    </div>
  );
}

/** A link would change the address of the view, which is behind its `#`. */
function focusMain(): void {
  document.getElementById('main')?.focus();
}
