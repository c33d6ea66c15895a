// Where a run's dataset is found, wherever the run was moved to.
#include "results/run_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/file.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

class DatasetOfRun : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  // A dataset of another recipe for every seed.
  Manifest dataset(const std::string& place, uint64_t seed) {
    Manifest manifest;
    manifest.form = DatasetForm::kRecipe;
    manifest.recipe.suite.name = "small";
    manifest.recipe.suite.seed = seed;
    fs::create_directories(root_ + "/" + place);
    EXPECT_TRUE(write_manifest(root_ + "/" + place, manifest));
    return manifest;
  }

  RunRecord record(const Manifest& manifest, const std::string& named) {
    RunRecord record;
    record.settings.dataset = named;
    record.settings.dataset_hash = dataset_hash(manifest);
    return record;
  }

  const std::string root_ = testing::TempDir() + "fathom_dataset_of_run";
};

TEST_F(DatasetOfRun, IsItsOwn) {
  const Manifest own = dataset("run/dataset", 1);
  EXPECT_EQ(dataset_of_run(root_ + "/run", record(own, "gone")), root_ + "/run/dataset");
}

TEST_F(DatasetOfRun, IsTheNamedOne) {
  dataset("dataset", 1);  // of somebody else, beside it
  const Manifest named = dataset("data/small", 2);
  EXPECT_EQ(dataset_of_run(root_ + "/run", record(named, root_ + "/data/small")),
            root_ + "/data/small");
}

// A study holds its dataset beside its arms; the path in the record is that of the day it ran.
TEST_F(DatasetOfRun, IsBesideAnArmOfAStudyThatMoved) {
  const Manifest shared = dataset("moved/dataset", 1);
  fs::create_directories(root_ + "/moved/full");
  const std::string found = dataset_of_run(root_ + "/moved/full", record(shared, "study/dataset"));
  EXPECT_TRUE(fs::equivalent(found, root_ + "/moved/dataset")) << found;
  // Another one lies today where the record points.
  dataset("study/dataset", 2);
  const std::string still =
      dataset_of_run(root_ + "/moved/full", record(shared, root_ + "/study/dataset"));
  EXPECT_TRUE(fs::equivalent(still, root_ + "/moved/dataset")) << still;
}

TEST_F(DatasetOfRun, OfOtherSamplesIsNamedSoThatItIsRefusedByName) {
  const Manifest before = dataset("run/dataset", 1);
  dataset("run/dataset", 2);
  EXPECT_EQ(dataset_of_run(root_ + "/run", record(before, "gone")), root_ + "/run/dataset");
  EXPECT_EQ(dataset_of_run(root_ + "/other", record(before, "gone")), "gone");
}

}  // namespace
}  // namespace fathom
