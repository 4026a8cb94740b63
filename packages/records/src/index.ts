// The door of records.
export {};
