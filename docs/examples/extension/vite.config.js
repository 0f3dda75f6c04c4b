// Bundles the scripts into dist, and copies the folder public beside them.
export default {
  build: {
    target: "es2022",
    modulePreload: false,
    rollupOptions: {
      input: ["src/service-worker.js", "src/blocked.js", "src/options.js"],
      output: { entryFileNames: "[name].js" },
    },
  },
};
