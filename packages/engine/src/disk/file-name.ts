// Names of files within the data directory: plain relative paths that cannot lead out of it.

/** Checks a name like `log/00000001.log`; throws on anything absolute, empty or with dots as a part. */
export function checkName(name: string): string {
  const plain = name
    .split('/')
    .every(
      (part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\\') && !part.includes('\0'),
    );
  if (!plain) throw new Error(`not a name within the data directory: ${JSON.stringify(name)}`);
  return name;
}

/** The folder of a name, '' for the root. */
export function folderOf(name: string): string {
  const slash = name.lastIndexOf('/');
  return slash < 0 ? '' : name.slice(0, slash);
}

/** A rename is atomic, and durable by one sync, only within one folder. */
export function checkRename(from: string, to: string): void {
  if (folderOf(checkName(from)) !== folderOf(checkName(to)))
    throw new Error(`a rename must stay within its folder: '${from}' to '${to}'`);
}
